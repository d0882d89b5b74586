import { projectFile, type Started, startNode } from "./processes.ts";

/** What a resolver says of addresses: no name, a name that resolves back, SERVFAIL to all questions, nothing to any. */
const RESOLVER_MOODS = ["nxdomain", "names", "servfail", "silent"] as const;

export type ResolverMood = (typeof RESOLVER_MOODS)[number];

export const isMood = (text: unknown): text is ResolverMood => RESOLVER_MOODS.some((mood) => mood === text);

/** A resolver in a process of its own. */
export type FreshResolver = {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly use: (mood: ResolverMood) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts it on a processor that the service is not measured on. */
export async function startFreshResolver(cpu: number | null): Promise<FreshResolver> {
  const resolver = startNode({ args: [projectFile("bench/servers/resolver.ts")], cpu });
  const { port } = await nextMessage(resolver);
  return {
    address: `127.0.0.1:${port}`,
    use: async (mood) => {
      const changed = nextMessage(resolver);
      resolver.process.send({ mood });
      await changed;
    },
    stop: resolver.stop,
  };
}

const nextMessage = ({ process: child }: Started): Promise<{ readonly port: number }> =>
  new Promise((resolve, reject) => {
    const failed = () => reject(new Error("The resolver ended"));
    child.once("exit", failed);
    child.once("message", (message) => {
      child.off("exit", failed);
      const port = typeof message === "object" && message !== null && "port" in message ? message.port : 0;
      resolve({ port: Number(port) });
    });
  });
