/** A sentence of the service, with text between backticks as code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
);

/** The first sentence of a description. */
export const firstSentence = (text: string): string => text.split(/(?<=\.) (?=[A-Z])/, 1)[0] ?? "";
