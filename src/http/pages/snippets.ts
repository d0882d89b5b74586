// Imports nothing: `npm run web:types` copies this file to `web/`, where the code follows what is typed into the form.

/** A call as the reference shows it in several languages. */
type SnippetCall = {
  readonly url: string;
  readonly method: string;
  /** Undefined: it has none. */
  readonly body: unknown;
  /** Whether it needs a key, which the programs read from the environment. */
  readonly hasKey: boolean;
};

/** The languages, by the names that people know. */
export const LANGUAGES = ["curl", "Node", "Python", "Go", "PHP"] as const;
type Language = (typeof LANGUAGES)[number];

/** The same call in each language, whole programs that need nothing but their language. One that is refused ends with 1. */
export const snippetsOf = (call: SnippetCall) =>
  LANGUAGES.map((title) => ({ title, text: WRITERS[title](call) }));

const WRITERS: Readonly<Record<Language, (call: SnippetCall) => string>> = {
  curl: ({ url, method, body, hasKey }) =>
    [
      `curl --fail-with-body -sS ${method === "POST" ? "" : `-X ${method} `}${shell(url)}`,
      ...(hasKey ? ['  -H "X-API-Key: $REPUTE_KEY"'] : []),
      ...(body === undefined
        ? []
        : ["  -H 'Content-Type: application/json'", `  -d ${shell(compact(body))}`]),
    ].join(" \\\n"),
  Node: ({ url, method, body, hasKey }) =>
    lines(
      `const response = await fetch(${quoted(url)}, {`,
      `  method: ${quoted(method)},`,
      headersOf(hasKey, body).length === 0 ? null : "  headers: {",
      hasKey ? '    "X-API-Key": process.env.REPUTE_KEY,' : null,
      body === undefined ? null : '    "Content-Type": "application/json",',
      headersOf(hasKey, body).length === 0 ? null : "  },",
      body === undefined ? null : `  body: JSON.stringify(${compact(body)}),`,
      "});",
      "const answer = await response.json();",
      "if (!response.ok) {",
      "  console.error(response.status, JSON.stringify(answer));",
      "  process.exit(1);",
      "}",
      "console.log(JSON.stringify(answer.data));",
    ),
  Python: ({ url, method, body, hasKey }) =>
    lines(
      "import json",
      hasKey ? "import os" : null,
      "import sys",
      "import urllib.error",
      "import urllib.request",
      "",
      "request = urllib.request.Request(",
      `    ${quoted(url)},`,
      `    method=${quoted(method)},`,
      "    headers={",
      hasKey ? '        "X-API-Key": os.environ["REPUTE_KEY"],' : null,
      body === undefined ? null : '        "Content-Type": "application/json",',
      "    },",
      body === undefined ? null : `    data=json.dumps(${pythonLiteral(body)}).encode(),`,
      ")",
      "try:",
      "    with urllib.request.urlopen(request, timeout=60) as response:",
      '        print(json.dumps(json.load(response)["data"]))',
      "except urllib.error.HTTPError as error:",
      '    sys.exit(f"{error.code} {error.read().decode()}")',
    ),
  Go: ({ url, method, body, hasKey }) =>
    lines(
      "package main",
      "",
      "import (",
      '\t"fmt"',
      '\t"io"',
      '\t"log"',
      '\t"net/http"',
      hasKey ? '\t"os"' : null,
      body === undefined ? null : '\t"strings"',
      ")",
      "",
      "func main() {",
      body === undefined
        ? `\trequest, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, nil)`
        : `\trequest, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, strings.NewReader(${quoted(compact(body))}))`,
      "\tif err != nil {",
      "\t\tlog.Fatal(err)",
      "\t}",
      hasKey ? '\trequest.Header.Set("X-API-Key", os.Getenv("REPUTE_KEY"))' : null,
      body === undefined ? null : '\trequest.Header.Set("Content-Type", "application/json")',
      "\tresponse, err := http.DefaultClient.Do(request)",
      "\tif err != nil {",
      "\t\tlog.Fatal(err)",
      "\t}",
      "\tdefer response.Body.Close()",
      "\tanswer, err := io.ReadAll(response.Body)",
      "\tif err != nil {",
      "\t\tlog.Fatal(err)",
      "\t}",
      "\tif response.StatusCode != 200 {",
      '\t\tlog.Fatalf("%d %s", response.StatusCode, answer)',
      "\t}",
      "\tfmt.Println(string(answer))",
      "}",
    ),
  PHP: ({ url, method, body, hasKey }) =>
    lines(
      "<?php",
      "$context = stream_context_create(['http' => [",
      `    'method' => ${single(method)},`,
      "    'header' => [",
      hasKey ? "        'X-API-Key: ' . getenv('REPUTE_KEY')," : null,
      body === undefined ? null : "        'Content-Type: application/json',",
      "    ],",
      body === undefined ? null : `    'content' => ${single(compact(body))},`,
      "    'ignore_errors' => true,",
      "    'timeout' => 60,",
      "]]);",
      `$answer = file_get_contents(${single(url)}, false, $context);`,
      "if ($answer === false || !str_contains($http_response_header[0], ' 200 ')) {",
      "    fwrite(STDERR, ($http_response_header[0] ?? 'No answer') . \"\\n$answer\\n\");",
      "    exit(1);",
      "}",
      'echo json_encode(json_decode($answer)->data), "\\n";',
    ),
};

const headersOf = (hasKey: boolean, body: unknown): readonly string[] => [
  ...(hasKey ? ["X-API-Key"] : []),
  ...(body === undefined ? [] : ["Content-Type"]),
];

const lines = (...all: readonly (string | null)[]): string => all.filter((line) => line !== null).join("\n");

/** A literal of JavaScript, and a text for the others. */
const compact = (body: unknown): string => JSON.stringify(body);

/** JSON as Python has it: other words for true, false and null. */
function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return compact(value);
  const members = Object.entries(value).map(([name, member]) => `${quoted(name)}: ${pythonLiteral(member)}`);
  return `{${members.join(", ")}}`;
}

const quoted = (text: string): string => JSON.stringify(text);

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const single = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
