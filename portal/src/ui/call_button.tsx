import type { ComponentChildren } from "preact";

export interface CallButtonProps {
  readonly class: string;
  /** Its question is on its way, or there is nothing left to ask. */
  readonly is_idle: boolean;
  /** Null for the button of a form, which asks by `submit`. */
  readonly onAsk: (() => void) | null;
  /** Label for screen readers, when it differs from the text. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that asks. While it is idle it takes no click and keeps the focus: a disabled button loses it to the page's body. */
export const CallButton = ({ class: name, is_idle, onAsk, label, children }: CallButtonProps) => (
  <button
    type={onAsk === null ? "submit" : "button"}
    class={name}
    aria-disabled={is_idle}
    aria-label={label}
    onClick={(event) => {
      if (is_idle) event.preventDefault();
      else onAsk?.();
    }}
  >
    {children}
  </button>
);
