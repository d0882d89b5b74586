/** What these tests read of a JSON schema. */
export type Node = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
};

/** A field that an answer fills: the value for it that says something, and the one that says that there is none. */
export type Leaf = { readonly path: string; readonly known: unknown; readonly absent: unknown };

type Definitions = Readonly<Record<string, Node>>;

const resolve = (node: Node, definitions: Definitions): Node =>
  node.$ref === undefined ? node : (definitions[node.$ref.split("/").at(-1) ?? ""] ?? {});

const isNull = (node: Node): boolean => node.type === "null";

/** A node that may be null, as the alternatives that `anyOf` has. */
function alternativesOf({ anyOf, type, ...rest }: Node): readonly Node[] | undefined {
  if (anyOf !== undefined || typeof type === "string" || type === undefined) return anyOf;
  return type.map((one) => (one === "null" ? { type: one } : { ...rest, type: one }));
}

/** The members of an answer of this shape. */
export const membersOf = (root: Node): Readonly<Record<string, Node>> =>
  resolve(root, root.$defs ?? {}).properties ?? {};

/** The fields of an answer that can be absent: null, "", false, [] or {}. A list is one field. */
export function leavesOf(root: Node): readonly Leaf[] {
  const definitions = root.$defs ?? {};
  const walk = (unresolved: Node, path: string): readonly Leaf[] => {
    const node = resolve(unresolved, definitions);
    const known = (): unknown => sample(node, definitions, path);
    const alternatives = alternativesOf(node);
    if (alternatives !== undefined) {
      if (alternatives.some(isNull)) return [{ path, known: known(), absent: null }];
      return alternatives.flatMap((one) => walk(one, path));
    }
    if (node.properties !== undefined) {
      return Object.entries(node.properties).flatMap(([name, member]) =>
        walk(member, path === "" ? name : `${path}.${name}`),
      );
    }
    const absent = absentOf(node);
    return absent === undefined ? [] : [{ path, known: known(), absent }];
  };
  return walk(root, "");
}

function absentOf({ type, enum: words, const: only }: Node): unknown {
  if (words !== undefined || only !== undefined) return undefined;
  if (type === "string") return "";
  if (type === "boolean") return false;
  if (type === "array") return [];
  return undefined;
}

const DATE = /(_at|_date|_seen|created|updated|valid_from|valid_to|since)$/;

function sample(unresolved: Node, definitions: Definitions, path: string): unknown {
  const node = resolve(unresolved, definitions);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum.at(0);
  const alternative = alternativesOf(node)?.find((one) => !isNull(one));
  if (alternative !== undefined) return sample(alternative, definitions, path);
  if (node.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, member]) => [
        name,
        sample(member, definitions, `${path}.${name}`),
      ]),
    );
  }
  if (node.type === "array") return [sample(node.items ?? {}, definitions, path)];
  if (node.type === "object") return {};
  if (node.type === "boolean") return true;
  if (node.type === "number" || node.type === "integer") return 7;
  return DATE.test(path) ? "2025-03-04T05:06:07Z" : `sample-of-${path.split(".").at(-1) ?? ""}`;
}

/** An answer of the shape: as recorded where something was, else made up. Parts that were null are there. */
export function sampleOf(root: Node, recorded: unknown): unknown {
  const definitions = root.$defs ?? {};
  const fill = (unresolved: Node, value: unknown, path: string): unknown => {
    const node = resolve(unresolved, definitions);
    const branch = alternativesOf(node)?.find((one) => !isNull(one));
    if (branch !== undefined) return fill(branch, value, path);
    if (node.properties === undefined) return value ?? sample(node, definitions, path);
    const from: object = typeof value === "object" && value !== null ? value : {};
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, member]) => [
        name,
        fill(member, Reflect.get(from, name), `${path}.${name}`),
      ]),
    );
  };
  return fill(root, recorded, "");
}

/** The value at a path; undefined where there is none. */
export const atPath = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (part, name) => (typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined),
      value,
    );

/** The object with another value at a path. */
export function withValue(value: object, path: string, leaf: unknown): object {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...value, [name]: leaf };
  const member: unknown = Reflect.get(value, name);
  return { ...value, [name]: withValue(Object(member), rest.join("."), leaf) };
}
