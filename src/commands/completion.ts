import { tools } from "../tools/index.ts";
import type { Command, CommandArgs, CommandIo } from "./command.ts";
import { EXIT, onlyFlags, UsageFault } from "./command.ts";

const script = (
  names: readonly string[],
  toolNames: readonly string[],
): string => `# assay completion for bash and zsh: eval "$(assay completion)"
_assay() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case "\${COMP_WORDS[1]}" in
    call|tools) COMPREPLY=($(compgen -W "${toolNames.join(" ")}" -- "$word")) ;;
    *) [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$word")) ;;
  esac
}
[ -n "\${ZSH_VERSION:-}" ] && autoload -U +X bashcompinit && bashcompinit
complete -F _assay assay
`;

/** Made with the names of all commands, because the list of commands holds this one too. */
export const completionOf = (names: readonly string[]): Pick<Command, "run"> => ({
  run: async (args: CommandArgs, io: CommandIo): Promise<number> => {
    onlyFlags(args, ["config", "json"]);
    if (args.words.length > 0) throw new UsageFault("completion takes no arguments");
    io.out(
      script(
        names,
        tools.map(({ name }) => name),
      ),
    );
    return EXIT.ok;
  },
});
