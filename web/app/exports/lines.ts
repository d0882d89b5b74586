import { CONSUMER_LINES } from "../../api/consumer-lines.gen.ts";
import { noteOf } from "./notes.ts";
import { ALLOW_RECIPES, type Export, RECIPES, type Recipe, SHELL } from "./recipes.ts";

/** Lines to paste for one consumer. */
export type ConsumerLines = {
  readonly consumer: string;
  readonly format: string;
  /** What root runs first; null where the program fetches by itself, and where the lines do. */
  readonly fetch: string | null;
  /** Where the lines go. */
  readonly place: string;
  readonly lines: string;
  /** What cron or a timer runs every hour; null where the program fetches by itself. */
  readonly hourly: string | null;
  /** How often, what happens while Repute is away, and the page that says the rest. */
  readonly note: string;
};

/** What is done once on each machine that fetches: the token, and the script that does. */
export const firstSteps = (origin: string): string =>
  [CONSUMER_LINES.header, CONSUMER_LINES.fetch].join("\n").replaceAll("http://127.0.0.1:8080", origin);

const canHold = ({ formats, target }: Export, recipe: Recipe): boolean =>
  formats.some(({ format }) => format === recipe.format) && (recipe.target ?? target) === target;

/** The lines for every consumer that can hold the export; `others`: what else there is. */
export const linesFor = (
  one: Export,
  origin: string,
  others: readonly Export[] = [],
): readonly ConsumerLines[] => [
  ...fileLines(
    one,
    origin,
    others.some(({ name, kind, target }) => name !== one.name && kind === "block" && target === "ip"),
  ),
  ...(one.kind === "block" && one.target === "ip" ? [bouncerLines(one, origin)] : []),
];

const bouncerLines = ({ name }: Export, origin: string): ConsumerLines => ({
  consumer: "CrowdSec bouncers",
  format: "stream",
  fetch: null,
  place: "In the configuration of the bouncer, with your token for TOKEN:",
  lines: `api_url: ${origin}/lapi/${name}/\napi_key: TOKEN    # of the scope decisions`,
  hourly: null,
  note: noteOf("CrowdSec bouncers", false),
});

const fileLines = (one: Export, origin: string, isBeside: boolean): readonly ConsumerLines[] => {
  const { name, kind, target } = one;
  const recipes = kind === "allow" ? ALLOW_RECIPES : RECIPES;
  return recipes
    .filter((recipe) => canHold(one, recipe) && (isBeside || recipe.isBesideAnother !== true))
    .map((recipe) => {
      const { consumer, format, place = SHELL, options = "", fetchesItself = false } = recipe;
      const { read = () => "true" } = recipe;
      const file = `/etc/repute/${name}.${format}`;
      // A shell may take the question mark for a pattern.
      const asked = options === "" ? `${name}.${format}` : `'${name}.${format}${options}'`;
      const fetch = `repute-fetch ${asked}`;
      const own = recipe.hourly?.(name) ?? null;
      return {
        consumer,
        format,
        fetch: fetchesItself || own !== null ? null : `${fetch} true`,
        place,
        lines: recipe.use(file, origin, name, target).join("\n"),
        hourly: fetchesItself ? null : (own?.join("\n") ?? `${fetch} ${read(file, name)}`),
        note: noteOf(consumer, !fetchesItself),
      };
    });
};
