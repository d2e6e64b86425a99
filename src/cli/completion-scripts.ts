/**
 * Completion scripts for bash, zsh and fish, from the command line as data. Each defines the command `psp-gate`, which
 * runs this checkout's command line from any folder, and completes it without starting it.
 */
import type { ListedCommand, ListedOption, Value } from "./command-tree.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** `root`: the checkout. */
export function completionScript(shell: Shell, commands: readonly ListedCommand[], root: string): string {
  return { bash, zsh, fish }[shell](commands, root);
}

/** One word for a shell, whatever is in it. All three read single quotes like this, but fish also reads backslashes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The Node that wrote the script, because the system's may be too old. */
const invocation = (root: string, quote: (text: string) => string): string =>
  [process.execPath, "--import", `${root}/src/cli/compile-cache.ts`, `${root}/src/cli/main.ts`].map(quote).join(" ");

/** A pattern of `case` for the options that take a value, and what they offer. */
const valued = (commands: readonly ListedCommand[]) =>
  commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) => (value ? names.map((name) => ({ place: `${path}|${name}`, value })) : [])),
  );

const words = (value: Value): string => (value.kind === "choices" ? value.choices.join(" ") : `-${value.kind}`);
const namesOf = (options: readonly ListedOption[]): string[] => options.flatMap(({ names }) => names);

/** For bash from 3.2 on, which macOS has: no associative arrays. */
function bash(commands: readonly ListedCommand[], root: string): string {
  const cases = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([place, offer]) => `    ${quoted(place)}) echo ${quoted(offer)} ;;`).join("\n");
  return `# psp-gate: completion for bash. Use it: source <(npm run --silent admin -- completion bash)
psp-gate() { ${invocation(root, quoted)} "$@"; }
_psp_gate_commands() {
  case "$1" in
${cases(commands.filter((each) => each.commands.length > 0).map((each) => [each.path, each.commands.map(({ name }) => name).join(" ")]))}
  esac
}
_psp_gate_options() {
  case "$1" in
${cases(commands.map(({ path, options }) => [path, namesOf(options).join(" ")]))}
  esac
}
_psp_gate_argument() {
  case "$1" in
${cases(commands.flatMap(({ path, argument }) => (argument ? [[path, words(argument)] as const] : [])))}
  esac
}
_psp_gate_value() {
  case "$1" in
${cases(valued(commands).map(({ place, value }) => [place, words(value)]))}
  esac
}
_psp_gate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" pending="" word offer i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # --env=staging arrives as three words
    if [[ "$word" == "=" ]]; then continue; fi
    if [[ -n "$pending" ]]; then pending=""; continue; fi
    pending="$(_psp_gate_value "$place|$word")"
    if [[ " $(_psp_gate_commands "$place") " == *" $word "* ]]; then place="\${place:+$place }$word"; fi
  done
  if [[ "$current" == "=" ]]; then current=""; fi
  if [[ -n "$pending" ]]; then offer="$pending"
  elif [[ "$current" == -* ]]; then offer="$(_psp_gate_options "$place")"
  else offer="$(_psp_gate_commands "$place") $(_psp_gate_argument "$place")"
  fi
  COMPREPLY=()
  case "$offer" in
    *-text*) ;;
    *-file*) compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
    *) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$offer" -- "$current") ;;
  esac
}
complete -F _psp_gate psp-gate
`;
}

function zsh(commands: readonly ListedCommand[], root: string): string {
  // _arguments ends a description at a bracket, and _describe a name at a colon
  const plain = (text: string) => text.replaceAll(/[[\]]/g, "").replaceAll(":", "\\:");
  const action = (value: Value) =>
    ({ choices: `(${value.kind === "choices" ? value.choices.join(" ") : ""})`, file: "_files", text: "" })[value.kind];
  const functionOf = (path: string) => `_psp_gate${path && `_${path.replaceAll(/[^a-z]/g, "_")}`}`;
  const specification = ({ names, description, value }: ListedOption) => {
    const end = `[${plain(description)}]${value ? `:value:${action(value)}` : ""}`;
    return names.map((name) => quoted(`${name}${end}`));
  };
  const define = ({ path, commands: below, options, argument }: ListedCommand) => {
    const own = options.flatMap(specification);
    if (below.length === 0) {
      const files = argument ? [quoted(`*:argument:${action(argument)}`)] : [];
      return `${functionOf(path)}() {\n  _arguments ${[...own, ...files].join(" ")}\n}`;
    }
    const listed = below.map(({ name, description }) => quoted(`${name}:${plain(description)}`));
    const next = below.map(
      ({ name }) => `        ${quoted(name)}) ${functionOf(path === "" ? name : `${path} ${name}`)} ;;`,
    );
    return `${functionOf(path)}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(${listed.join(" ")})
  _arguments -C ${[...own, "'1:command:->command'", "'*::rest:->rest'"].join(" ")}
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${next.join("\n")}
      esac ;;
  esac
}`;
  };
  return `# psp-gate: completion for zsh. Use it: source <(npm run --silent admin -- completion zsh), after compinit
psp-gate() { ${invocation(root, quoted)} "$@"; }
${commands.map(define).join("\n")}
compdef _psp_gate psp-gate
`;
}

function fish(commands: readonly ListedCommand[], root: string): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const below = new Set(commands.map(({ path }) => path));
  const at = (path: string) => `-n ${quote(`test (__psp_gate_place) = ${quote(path)}`)}`;
  const value = (each: Value) =>
    ({
      choices: `-x -a ${quote(each.kind === "choices" ? each.choices.join(" ") : "")}`,
      file: "-r -F",
      text: "-x",
    })[each.kind];
  const lines = commands.flatMap(({ path, commands: next, options, argument }) => [
    ...next.map(({ name, description }) => `${at(path)} -a ${quote(name)} -d ${quote(description)}`),
    ...options.map((option) => {
      const names = option.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      return [
        at(path),
        ...names,
        ...(option.value ? [value(option.value)] : []),
        `-d ${quote(option.description)}`,
      ].join(" ");
    }),
    ...(argument && argument.kind !== "text"
      ? [`${at(path)} ${argument.kind === "file" ? "-F" : value(argument)}`]
      : []),
  ]);
  return `# psp-gate: completion for fish. Use it: npm run --silent admin -- completion fish | source
function psp-gate
    ${invocation(root, quote)} $argv
end
function __psp_gate_place
    set -l place ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$place $word")
        if contains -- "$next" ${[...below].filter(Boolean).map(quote).join(" ")}
            set place $next
        end
    end
    printf '%s\\n' "$place"
end
complete -c psp-gate -f
${lines.map((line) => `complete -c psp-gate ${line}`).join("\n")}
`;
}
