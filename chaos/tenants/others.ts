import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ground } from "../ground.ts";
import { atExit } from "../linux.ts";
import type { HostileOrder, Tally, WebLooks, WorldAddress } from "./words.ts";

/** A child of this process that is told something and answers. */
type Other = { readonly tell: (words: object) => void; readonly answer: () => Promise<object> };

export type World = WorldAddress & { readonly look: () => Promise<WebLooks> };

/** Hostile callers: at rest, or at what they were ordered. */
export type Hostile = {
  readonly begin: (order: HostileOrder) => void;
  /** Hangs up what is under way; what came of their calls. */
  readonly end: () => Promise<Tally>;
};

/** Starts the resolver and the stranger's web server. */
export async function startWorld(ground: Ground): Promise<World> {
  const { dns = "" }: Partial<WorldAddress> = await start(ground, "resolver.ts").answer();
  const { tell, answer } = start(ground, "web.ts");
  const { web = 0 }: Partial<WorldAddress> = await answer();
  return {
    dns,
    web,
    look: async () => {
      tell({});
      const { requests = 0, mostOpen = 0 }: Partial<WebLooks> = await answer();
      return { requests, mostOpen };
    },
  };
}

/** Starts hostile callers that do nothing yet. */
export function startHostile(ground: Ground): Hostile {
  const { tell, answer } = start(ground, "hostile.ts");
  return {
    begin: tell,
    end: async () => {
      tell({});
      return Object.fromEntries(Object.entries(await answer()).map(([status, n]) => [status, Number(n)]));
    },
  };
}

function start(ground: Ground, file: string): Other {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  const end = () => void child.kill("SIGKILL");
  atExit(end);
  ground.later(end);
  return {
    tell: (words) => void child.send(words),
    answer: () =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error(`${file} ended`));
        child.once("exit", gone);
        child.once("message", (message) => {
          child.off("exit", gone);
          if (typeof message === "object" && message !== null) resolve(message);
          else reject(new Error(`${file} said something else`));
        });
      }),
  };
}
