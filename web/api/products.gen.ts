// Made by `npm run web:types` from src/products.
export const PRODUCTS = [
  {
    "word": "ip",
    "product": "check-ip",
    "name": "IP reputation",
    "path": "/api/check-ip",
    "field": "ip",
    "takes": [
      "ip"
    ],
    "label": "IP address",
    "example": "185.220.101.1",
    "credits": 1
  },
  {
    "word": "domain",
    "product": "domain-reputation",
    "name": "Domain reputation",
    "path": "/api/domain-reputation",
    "field": "domain",
    "takes": [
      "domain"
    ],
    "label": "Domain name",
    "example": "example.com",
    "credits": 1
  },
  {
    "word": "url",
    "product": "url-reputation",
    "name": "URL reputation",
    "path": "/api/url-reputation",
    "field": "url",
    "takes": [
      "url"
    ],
    "label": "URL",
    "example": "https://example.com/login",
    "credits": 2
  },
  {
    "word": "email",
    "product": "email-reputation",
    "name": "E-mail reputation",
    "path": "/api/email-reputation",
    "field": "email",
    "takes": [
      "email"
    ],
    "label": "E-mail address",
    "example": "someone@example.com",
    "credits": 1
  },
  {
    "word": "dns",
    "product": "dns-lookup",
    "name": "DNS records",
    "path": "/api/dns-lookup",
    "field": "domain",
    "takes": [
      "domain"
    ],
    "label": "Domain name",
    "example": "example.com",
    "credits": 1
  },
  {
    "word": "whois",
    "product": "whois-lookup",
    "name": "Registration",
    "path": "/api/whois-lookup",
    "field": "query",
    "takes": [
      "ip",
      "network",
      "asn",
      "domain"
    ],
    "label": "Domain, IP address, network or AS number",
    "example": "AS15169",
    "credits": 1
  }
] as const;

export const TOOLS = [
  {
    "name": "ip",
    "tab": "IP",
    "title": "IP address check",
    "lead": "Which blacklists name an address, whose network it is in, and whether it is a Tor exit, a VPN or a proxy.",
    "label": "IPv4 or IPv6 address",
    "example": "8.8.8.8",
    "full": "every engine with its reason and age, the points behind the score, abuse contact, route and cloud",
    "path": "/api/free/check-ip",
    "field": "ip"
  },
  {
    "name": "domain",
    "tab": "Domain",
    "title": "Domain check",
    "lead": "Which blacklists name a domain or host, how old it is, and its risk score.",
    "label": "Domain or host name",
    "example": "example.com",
    "full": "DNS and mail security, registration, certificate, what it imitates, and the points behind the score",
    "path": "/api/free/domain-check",
    "field": "domain"
  },
  {
    "name": "url",
    "tab": "URL",
    "title": "URL check",
    "lead": "Which blacklists name a link or its host. The page itself is fetched only for accounts.",
    "label": "URL with http:// or https://",
    "example": "https://example.com/login",
    "full": "the page itself: redirects, certificate, forms, files, what it loads from elsewhere, and over seventy checks",
    "path": null,
    "field": "url"
  },
  {
    "name": "email",
    "tab": "E-mail",
    "title": "E-mail address check",
    "lead": "Whether an address is well formed, and whether it is a throwaway mailbox or at a free provider.",
    "label": "E-mail address",
    "example": "jane.doe@example.com",
    "full": "mail servers and their reputation, SPF and DMARC, and aliases and role addresses",
    "path": "/api/free/email-check",
    "field": "email"
  },
  {
    "name": "dns",
    "tab": "DNS",
    "title": "DNS lookup",
    "lead": "The records of a name, or the name of an address, asked for now.",
    "label": "Name or IP address",
    "example": "example.com",
    "full": "sixteen record types at once, every record, and how each question ended",
    "path": "/api/free/dns-lookup",
    "field": "domain"
  },
  {
    "name": "whois",
    "tab": "WHOIS",
    "title": "WHOIS lookup",
    "lead": "Who registered a domain, or holds a network or an AS number, by the registry's own answer.",
    "label": "Domain, IP address, network or AS number",
    "example": "AS15169",
    "full": "holder, contacts, DNSSEC, and the registry's own remarks",
    "path": "/api/free/whois-lookup",
    "field": "query"
  }
] as const;

export const ANONYMITY_NAMES = [
  [
    "is_tor",
    "Tor exit"
  ],
  [
    "is_vpn",
    "VPN"
  ],
  [
    "is_proxy",
    "proxy"
  ],
  [
    "is_webproxy",
    "web proxy"
  ],
  [
    "is_residential_proxy",
    "residential proxy"
  ],
  [
    "is_relay",
    "privacy relay"
  ],
  [
    "is_hosting",
    "hosting"
  ]
] as const;
