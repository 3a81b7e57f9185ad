import type { ComponentChildren } from "preact";

export interface NoticeProps {
  readonly tone: "quiet" | "good" | "warn" | "bad";
  readonly title: string;
  readonly children?: ComponentChildren;
}

const SIGNS = { quiet: "i", good: "✓", warn: "!", bad: "✕" } as const;

/** A message with its remedy. A symbol shows its kind without colour. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div class={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
    <span class="notice-sign" aria-hidden="true">
      {SIGNS[tone]}
    </span>
    <div>
      <strong>{title}</strong>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  </div>
);
