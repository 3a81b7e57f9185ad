import { tools } from "../tools/index.ts";
import { COMMON_FLAGS, type Command, type CommandArgs, type CommandIo, chosen, EXIT, UsageFault } from "./command.ts";

/** The words that a shell offers. */
interface Vocabulary {
  readonly commands: readonly CommandWords[];
  readonly tools: readonly { readonly name: string; readonly title: string; readonly parameters: readonly string[] }[];
}

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly actions: readonly string[];
  readonly flags: readonly { readonly name: string; readonly summary: string; readonly takes_value: boolean }[];
}

/** Commands whose first word is a tool's name. */
const OF_TOOLS = ["call", "tools"];

const vocabularyOf = (commands: readonly Command[]): Vocabulary => ({
  commands: commands.map(({ name, summary, actions = [], flags }) => ({
    name,
    summary,
    actions,
    flags: [...flags, ...COMMON_FLAGS].map((flag) => ({ ...flag, takes_value: flag.value !== undefined })),
  })),
  tools: tools.map(({ name, title, input }) => ({ name, title, parameters: Object.keys(input.shape) })),
});

const toolNames = ({ tools: all }: Vocabulary): string => all.map(({ name }) => name).join(" ");

const firstWords = (command: CommandWords, vocabulary: Vocabulary): string =>
  OF_TOOLS.includes(command.name) ? toolNames(vocabulary) : command.actions.join(" ");

const flagNames = ({ flags }: CommandWords): string => flags.map(({ name }) => `--${name}`).join(" ");

/** Lines of a `case` over the commands: the words that may come first, and the flags. */
const commandCases = (vocabulary: Vocabulary): string =>
  vocabulary.commands
    .map((one) => `    ${one.name}) first="${firstWords(one, vocabulary)}"; flags="${flagNames(one)}" ;;`)
    .join("\n");

const toolCases = ({ tools: all }: Vocabulary): string =>
  all
    .map(({ name, parameters }) => `      ${name}) rest="${parameters.map((one) => `${one}=`).join(" ")}" ;;`)
    .join("\n");

/** The words for the place of the line, which bash and zsh find with the same lines: they differ in the names of its parts. */
const choice = (
  vocabulary: Vocabulary,
  { command, tool }: { readonly command: string; readonly tool: string },
): string =>
  `  local first="" flags="" rest=""
  case "${command}" in
${commandCases(vocabulary)}
  esac
  if [ "${command}" = call ]; then
    case "${tool}" in
${toolCases(vocabulary)}
    esac
  fi`;

/** An item of a shell's list; empty without one. */
const itemOf = (list: string, index: number): string => `\${${list}[${index}]:-}`;

const commandNames = ({ commands }: Vocabulary): string => commands.map(({ name }) => name).join(" ");

const bash = (vocabulary: Vocabulary): string => `# assay completion for bash: eval "$(assay completion bash)"
_assay() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
${choice(vocabulary, { command: itemOf("COMP_WORDS", 1), tool: itemOf("COMP_WORDS", 2) })}
  case "$COMP_CWORD" in
    1) words="${commandNames(vocabulary)} --help --version" ;;
    2) words="$first $flags" ;;
    *) words="$rest $flags" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ "\${#COMPREPLY[@]}" -eq 1 ] && [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _assay assay
`;

const zsh = (vocabulary: Vocabulary): string => `#compdef assay
# assay completion for zsh: eval "$(assay completion zsh)", after compinit
_assay() {
${choice(vocabulary, { command: itemOf("words", 2), tool: itemOf("words", 3) })}
  case "$CURRENT" in
    2) compadd -- ${commandNames(vocabulary)} --help --version ;;
    3) compadd -- \${=first} \${=flags} || _files ;;
    *) compadd -S '' -- \${=rest}; compadd -- \${=flags} || _files ;;
  esac
}
compdef _assay assay
`;

/** A text between single quotes, as fish reads it. */
const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const fishCommand = (command: CommandWords, vocabulary: Vocabulary): readonly string[] => {
  const inCommand = `__fish_seen_subcommand_from ${command.name}`;
  const [first, line] = [firstWords(command, vocabulary), `complete -c assay -n ${fishText(inCommand)}`];
  return [
    `complete -c assay -n __fish_use_subcommand -f -a ${command.name} -d ${fishText(command.summary)}`,
    ...(first === ""
      ? []
      : [
          `complete -c assay -n ${fishText(`${inCommand}; and test (count (commandline -opc)) -eq 2`)} -f -a ${fishText(first)}`,
        ]),
    ...command.flags.map(
      ({ name, summary, takes_value }) => `${line} -l ${name}${takes_value ? " -r" : ""} -d ${fishText(summary)}`,
    ),
  ];
};

const fish = (vocabulary: Vocabulary): string =>
  `${[
    "# assay completion for fish: assay completion fish | source",
    ...vocabulary.commands.flatMap((command) => fishCommand(command, vocabulary)),
    ...vocabulary.tools.map(
      ({ name, parameters }) =>
        `complete -c assay -n ${fishText(`__fish_seen_subcommand_from call; and __fish_seen_subcommand_from ${name}`)} -f -a ${fishText(parameters.map((one) => `${one}=`).join(" "))}`,
    ),
  ].join("\n")}\n`;

/** Without a shell's name: one script that bash and zsh run. */
const either = (vocabulary: Vocabulary): string =>
  `if [ -n "\${ZSH_VERSION:-}" ]; then\n${zsh(vocabulary)}else\n${bash(vocabulary)}fi\n`;

const SHELLS = { bash, zsh, fish };

/** Made with the list of all commands, because that list holds this one too. */
export const completionOf = (commands: readonly Command[]): Pick<Command, "run"> => ({
  run: async ({ words }: CommandArgs, io: CommandIo): Promise<number> => {
    const [shell, ...more] = words;
    if (more.length > 0) throw new UsageFault("completion takes one shell");
    const script = shell === undefined ? either : chosen(SHELLS, shell, "shell");
    io.out(script(vocabularyOf(commands)));
    return EXIT.ok;
  },
});
