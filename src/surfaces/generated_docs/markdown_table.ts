const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A Markdown table; bars and line ends of cells are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
