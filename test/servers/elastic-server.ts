import { createServer } from "node:http";
import { BlockList, isIP } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

type Document = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body: unknown];

export type ElasticServer = {
  readonly url: string;
  /** Behind an alias, or an index. */
  readonly documents: (name: string) => readonly Document[];
  readonly indices: () => readonly string[];
  /** What the pipeline of a list adds to an event. */
  readonly enriched: (list: string, ip: string) => Document | null;
  readonly close: () => Promise<void>;
};

const mappingSchema = z.object({
  mappings: z.object({ properties: z.record(z.string(), z.object({ type: z.string() })) }),
});
const policySchema = z.object({
  range: z.object({
    indices: z.string(),
    match_field: z.string(),
    enrich_fields: z.array(z.string()),
  }),
});
const pipelineSchema = z.object({
  processors: z.tuple([
    z.object({
      enrich: z.object({ policy_name: z.string(), field: z.string(), target_field: z.string() }),
    }),
  ]),
});
const aliasesSchema = z.object({
  actions: z.array(
    z.union([
      z.strictObject({ remove_index: z.object({ index: z.string() }) }),
      z.strictObject({ add: z.object({ index: z.string(), alias: z.string() }) }),
    ]),
  ),
});

/**
 * The part of Elasticsearch's interface that loads a list: indices with a field `ip_range`, `_bulk`, `_aliases`, an enrich policy of
 * type `range` and an ingest pipeline. A range is a network with its prefix, as there ("Expected [ip/prefix] but was [192.0.2.1]").
 * Source: https://www.elastic.co/docs/manage-data/ingest/transform-enrich/example-enrich-data-by-matching-value-to-range
 */
export async function startElasticServer(key: string): Promise<ElasticServer> {
  const world = createWorld();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://elastic");
    const body = await text(request);
    const isLetIn = request.headers.authorization === `ApiKey ${key}`;
    const [status, answer] = isLetIn ? world.answer(request.method ?? "", pathname, body) : [401, {}];
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`,
    documents: world.documents,
    indices: world.indices,
    enriched: world.enriched,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function createWorld() {
  const stored = new Map<string, { readonly ranges: readonly string[]; readonly documents: Document[] }>();
  const aliases = new Map<string, string>();
  type Policy = z.infer<typeof policySchema>["range"] & { readonly known: readonly Document[] };
  const policies = new Map<string, Policy>();
  /** Name of the policy by that of the pipeline. */
  const pipelines = new Map<string, string>();
  const found = (name: string) => stored.get(aliases.get(name) ?? name);
  const documents = (name: string): readonly Document[] => found(name)?.documents ?? [];

  const bulk = (name: string, body: string): Answer => {
    const index = found(name);
    const lines = body.split("\n");
    if (index === undefined || lines.pop() !== "") return [400, {}];
    let errors = false;
    for (let i = 0; i < lines.length; i += 2) {
      if (lines[i] !== '{"index":{}}') return [400, {}];
      const document = z.record(z.string(), z.unknown()).parse(JSON.parse(lines[i + 1] ?? ""));
      if (index.ranges.every((field) => rangeOf(document[field]) !== null)) index.documents.push(document);
      else errors = true;
    }
    return [200, { errors }];
  };

  const change = (body: string): Answer => {
    const { actions } = aliasesSchema.parse(JSON.parse(body));
    for (const action of actions) {
      if ("add" in action) aliases.set(action.add.alias, action.add.index);
      else if (!stored.delete(action.remove_index.index)) return [404, {}];
    }
    return [200, {}];
  };

  const create = (name: string, body: string): Answer => {
    if (stored.has(name)) return [400, { error: { type: "resource_already_exists_exception" } }];
    const fields = Object.entries(mappingSchema.parse(JSON.parse(body)).mappings.properties);
    const ranges = fields.flatMap(([field, { type }]) => (type === "ip_range" ? [field] : []));
    stored.set(name, { ranges, documents: [] });
    return [200, {}];
  };

  const define = (name: string, body: string): Answer => {
    const { range } = policySchema.parse(JSON.parse(body));
    if (policies.has(name) || found(range.indices) === undefined) return [400, {}];
    policies.set(name, { ...range, known: [] });
    return [200, {}];
  };

  const execute = (name: string): Answer => {
    const policy = policies.get(name);
    if (policy === undefined) return [404, {}];
    policies.set(name, { ...policy, known: [...documents(policy.indices)] });
    return [200, {}];
  };

  const pipe = (name: string, body: string): Answer => {
    const [{ enrich }] = pipelineSchema.parse(JSON.parse(body)).processors;
    if (!policies.has(enrich.policy_name)) return [400, {}];
    pipelines.set(name, enrich.policy_name);
    return [200, {}];
  };

  const listed = (pattern: string): Answer => {
    const names = [...stored.keys()].filter((name) => name.startsWith(pattern.slice(0, -1)));
    return [200, names.map((name) => `${name}\n`).join("")];
  };

  const shownPolicy = (name: string): Answer => [
    200,
    { policies: policies.has(name) ? [{ config: { range: { name } } }] : [] },
  ];

  const answer = (method: string, path: string, body: string): Answer => {
    const [, first = "", ...rest] = path.split("/");
    const [kind = "", name = "", what = ""] = first.startsWith("_") ? rest : [];
    switch (
      `${method} ${first.startsWith("_") ? `${first} ${kind} ${what}` : `INDEX ${rest.join("/")}`}`.trim()
    ) {
      case "GET _cat indices":
        return listed(name);
      case "PUT INDEX":
        return create(first, body);
      case "POST INDEX _bulk":
        return bulk(first, body);
      case "POST INDEX _refresh":
        return [found(first) === undefined ? 404 : 200, {}];
      case "POST _aliases":
        return change(body);
      case "GET _enrich policy":
        return shownPolicy(name);
      case "PUT _enrich policy":
        return define(name, body);
      case "PUT _enrich policy _execute":
        return execute(name);
      case "PUT _ingest pipeline":
        return pipe(name, body);
      default:
        return [404, {}];
    }
  };

  const enriched = (list: string, ip: string): Document | null => {
    const policy = policies.get(pipelines.get(list) ?? "");
    const match = policy?.known.find((document) =>
      rangeOf(document[policy.match_field])?.check(ip, familyOf(ip)),
    );
    if (policy === undefined || match === undefined) return null;
    return Object.fromEntries(policy.enrich_fields.map((name) => [name, match[name]]));
  };
  return { answer, documents, indices: () => [...stored.keys()], enriched };
}

const familyOf = (ip: string) => (isIP(ip) === 4 ? "ipv4" : "ipv6");

function rangeOf(value: unknown): BlockList | null {
  const [address = "", prefix] = String(value).split("/");
  if (prefix === undefined || isIP(address) === 0 || Number(prefix) > (isIP(address) === 4 ? 32 : 128))
    return null;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), familyOf(address));
  return list;
}
