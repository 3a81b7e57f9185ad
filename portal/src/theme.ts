/** Light or dark: the system's setting until the user chooses. */
import { createStore, readStored, writeStored } from "./store.ts";

export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

const isTheme = (value: unknown): value is Theme => THEMES.some((one) => one === value);

const KEEPING = { storage: localStorage, name: "assay.theme", isRight: isTheme };

export const theme = createStore<Theme>(readStored<Theme>(KEEPING, "system"));

const show = (chosen: Theme): void => {
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
};

export const nextTheme = (): void => {
  const next = THEMES[(THEMES.indexOf(theme.get()) + 1) % THEMES.length] ?? "system";
  writeStored(KEEPING, next);
  theme.set(next);
};

/** To be called before anything is drawn. */
export const followTheme = (): void => {
  show(theme.get());
  theme.subscribe(() => show(theme.get()));
};
