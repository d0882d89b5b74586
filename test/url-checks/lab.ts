import { loadBrands } from "../../src/enrichment/domain-names/brands.ts";
import { createDomainFacts, type DomainEvidence } from "../../src/enrichment/domain-names/domain-facts.ts";
import { createNameLists, loadNameLists } from "../../src/enrichment/domain-names/name-lists.ts";
import { openNamesWorld } from "../../src/enrichment/domain-names/test-world.ts";
import { loadRiskyTlds } from "../../src/enrichment/domain-names/tlds.ts";
import { createNetworks, loadNetworkLists } from "../../src/enrichment/ip/networks.ts";
import { fileTypeOf } from "../../src/enrichment/page/file-type.ts";
import { NO_FORMS } from "../../src/enrichment/page/forms.ts";
import { extensionOf } from "../../src/enrichment/page/links.ts";
import { readResponse } from "../../src/enrichment/page/read-response.ts";
import type { UrlEvidence } from "../../src/enrichment/url-checks/evidence.ts";
import { createSiteCategories } from "../../src/enrichment/url-checks/site-category.ts";
import { readIp } from "../../src/targets/ip.ts";
import { hostOf, type UrlHost } from "../../src/targets/url.ts";
import { a } from "../servers/dialing.ts";
import { createBrowser } from "../servers/page-fetch.ts";
import {
  type CertificateName,
  redirect,
  response,
  startWebServer,
  type WebAnswer,
} from "../servers/web-server.ts";

/** A URL and what is known of it, or the page that a server on loopback gives under it. */
export type Case = {
  readonly url: string;
  /** Nothing is asked without. */
  readonly answer?: WebAnswer;
  readonly certificate?: CertificateName;
  /** Of the name; 400 days unless told. */
  readonly ageDays?: number | null;
  /** Of the name; null: not known. */
  readonly addresses?: readonly string[] | null;
  readonly isBlacklisted?: boolean;
  readonly registry?: DomainEvidence["registry"];
};

/** One case that sets a check and one that comes near. */
export type Pair = { readonly hit: Case | (() => Promise<Case>); readonly miss: Case };

const listings = await openNamesWorld();
const brands = loadBrands([]);
const facts = createDomainFacts({
  listings: () => listings,
  nameLists: createNameLists(loadNameLists()),
  networks: createNetworks(loadNetworkLists(), []),
  brands,
  riskyTlds: loadRiskyTlds(),
  topNames: () => ["wikipedia.org"],
  now: () => new Date("2026-11-21T12:00:00Z"),
});
const sites = createSiteCategories(facts);

/** The evidence of a case; its page comes from a server through the service's own fetch. */
export async function evidenceOf(one: Case): Promise<UrlEvidence> {
  const asked = withoutResponse(one);
  if (one.answer === undefined) return asked;
  const server = await startWebServer(one.answer, one.certificate ? { certificate: one.certificate } : {});
  const { fetchPage } = await createBrowser({
    script: ({ type }) => ({ answers: type === "A" ? [a("127.0.0.1")] : [] }),
    maxBytes: 1_000_000,
  });
  const url = new URL(one.url);
  url.port = String(server.port);
  const fetched = await fetchPage(url.href);
  const finalUrl = new URL(fetched.finalUrl);
  const finalHost = hostOf(finalUrl);
  const way = {
    ...asked,
    status: fetched.status,
    hops: fetched.hops,
    finalUrl,
    finalHost,
    finalSite: sites.of(textOf(finalHost)),
    isValidHttps: finalUrl.protocol === "https:" ? (fetched.tls?.valid ?? null) : false,
  };
  if (fetched.response === null) return way;
  const { body, contentType } = fetched.response;
  const { page, forms, fileType } = readResponse({ body, contentType, url: fetched.finalUrl });
  return { ...way, response: fetched.response, isRead: true, page, forms, fileType };
}

/** The evidence of an HTML page, as if a server had given it. */
export function evidenceOfPage(
  url: string,
  html: string,
  known: Pick<DomainEvidence, "registry"> = {},
): UrlEvidence {
  const body = Buffer.from(html);
  const { page, forms, fileType } = readResponse({ body, contentType: "text/html; charset=utf-8", url });
  const response = {
    status: 200,
    headers: new Map<string, string>(),
    disposition: "",
    bodyBytes: body.length,
  };
  return {
    ...withoutResponse({ url, ...known }),
    status: "ok",
    response,
    isRead: true,
    page,
    forms,
    fileType,
  };
}

/** What is known when nothing answered. */
export function withoutResponse({
  url: text,
  ageDays = 400,
  addresses = [],
  isBlacklisted = false,
  registry = null,
}: Case): UrlEvidence {
  const url = new URL(text);
  const host = hostOf(url);
  const ips = addresses?.map((address) => {
    const ip = readIp(address);
    if (ip === null) throw new Error(`${address} is no address`);
    return ip;
  });
  const known: DomainEvidence = {
    ageDays,
    addresses: ips ?? null,
    nameServers: [],
    isForSale: null,
    registry,
  };
  const judged = host.kind === "domain" ? facts.judge(host.domain, known) : null;
  return {
    url,
    host,
    domainFacts: judged?.facts ?? null,
    unknownFacts: judged?.unknown ?? [],
    isPopular: judged?.isPopular ?? false,
    addresses: ips ?? null,
    silent: [],
    site: sites.of(textOf(host)),
    isBlacklisted,
    brands,
    status: "connect_error",
    hops: [],
    finalUrl: url,
    finalHost: host,
    finalSite: sites.of(textOf(host)),
    unknownSite: sites.unknown(),
    isValidHttps: url.protocol === "https:" ? null : false,
    response: null,
    isRead: false,
    page: null,
    forms: NO_FORMS,
    fileType: fileTypeOf(extensionOf(url), "", Buffer.alloc(0)),
  };
}

const textOf = (host: UrlHost): string => (host.kind === "ip" ? host.ip.text : host.domain.name);

/** A host that does not matter. */
const SITE = "http://www.shop.example";

type Served = {
  readonly url?: string;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A case of an HTML page. */
export const page = (
  title: string,
  body: string,
  { url = `${SITE}/`, status = 200, headers = {} }: Served = {},
): Case => ({
  url,
  answer: () =>
    response(`<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`, {
      status,
      headers: { "Content-Type": "text/html; charset=utf-8", ...headers },
    }),
});

/** A case of a file. */
export const file = (
  body: string | Buffer,
  { url = `${SITE}/x`, type = "", headers = {} }: Served = {},
): Case => ({
  url,
  answer: () => response(body, { headers: type === "" ? headers : { "Content-Type": type, ...headers } }),
});

/** A case whose first answer leads on, on the same port; `to` has `PORT` in its place. */
export const leads = (url: string, to: string): Case => ({
  url,
  answer: ({ path, headers }) => {
    const port = (headers.get("host") ?? "").split(":")[1] ?? "";
    const isFirst =
      path === new URL(url).pathname && headers.get("host")?.split(":")[0] === new URL(url).hostname;
    return isFirst ? redirect(to.replace("PORT", port)) : response("<title>End</title>there");
  },
});

/** A case that leads from https to a second server that speaks http. */
export async function downgrade(): Promise<Case> {
  const plain = await startWebServer(() => response("plain"));
  return {
    url: "https://www.example.com/",
    certificate: "good",
    answer: () => redirect(`http://www.example.com:${plain.port}/`),
  };
}
