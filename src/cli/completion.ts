import { type CliCommand, type CommandEntry, defineCommand } from "./command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Words that may stand behind the words of a command: `key create` → its options. */
type Words = ReadonlyMap<string, readonly string[]>;

/** `repute completion SHELL`: a script for the shell, made from the commands. */
export const command = defineCommand({
  help: {
    examples: ["source <(repute completion bash)", "repute completion fish | source"],
    page: "commands.md",
  },
  arguments: [{ name: "shell", summary: "The shell", choices: SHELLS }],
  run: async ({ argument }, { printPiece, commands }) => {
    const words = wordsOf(
      await Promise.all(commands.map(async (entry) => [entry, (await entry.load()).command] as const)),
    );
    const shell = argument("shell");
    if (shell === "bash") printPiece(bashScript(words));
    else if (shell === "zsh") printPiece(zshScript(words));
    else printPiece(fishScript(words));
    return 0;
  },
});

function wordsOf(commands: readonly (readonly [CommandEntry, CliCommand])[]): Words {
  const words = new Map<string, string[]>([["", ["help"]]]);
  const add = (path: string, word: string) => {
    const known = words.get(path) ?? [];
    if (!known.includes(word)) known.push(word);
    words.set(path, known);
  };
  for (const [{ name }, command] of commands) {
    const [first = "", second] = name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    for (const { choices = [] } of command.arguments) for (const choice of choices) add(name, choice);
    for (const { flags } of command.options) add(name, flags.split(" ")[0] ?? "");
    add(name, "--help");
  }
  return words;
}

// Every word is one of ours: letters, digits and dashes. Nothing is quoted in another way than here.
const cases = (words: Words, line: (path: string, list: string) => string): string =>
  [...words].map(([path, list]) => line(path, list.join(" "))).join("\n");

/** The words in front of the cursor that are no options: two at most name the command. */
function bashScript(words: Words): string {
  return `# bash completion of repute: source <(repute completion bash)
_repute() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ "$word" == -* ]] && continue
    _repute_words "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  _repute_words "$path"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_repute_words() {
  case "$1" in
${cases(words, (path, list) => `    "${path}") words="${list}" ;;`)}
    *) return 1 ;;
  esac
}
complete -o default -F _repute repute
`;
}

function zshScript(words: Words): string {
  return `#compdef repute
# zsh completion of repute: source <(repute completion zsh)
_repute_words() {
  case "$1" in
${cases(words, (path, list) => `    "${path}") reply=(${list}) ;;`)}
    *) return 1 ;;
  esac
}
_repute() {
  local path_ word
  local -a reply
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && continue
    _repute_words "\${path_:+$path_ }$word" && path_="\${path_:+$path_ }$word"
  done
  _repute_words "$path_"
  compadd -- $reply
  [[ -n "$path_" ]] && _files
}
(( $+functions[compdef] )) && compdef _repute repute
`;
}

function fishScript(words: Words): string {
  return `# fish completion of repute: repute completion fish | source
function __repute_words
  switch "$argv[1]"
${cases(words, (path, list) => `    case "${path}"\n      string split " " -- "${list}"`)}
    case "*"
      return 1
  end
end
function __repute_complete
  set -l path
  for word in (commandline -opc)[2..]
    string match -q -- "-*" $word; and continue
    __repute_words (string join " " $path $word) >/dev/null; and set -a path $word
  end
  __repute_words (string join " " "" $path | string trim)
end
complete -c repute -a "(__repute_complete)"
`;
}
