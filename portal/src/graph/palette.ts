/** Colours of the canvas, which knows no style sheets; the same as the page's. */
import { theme } from "../theme.ts";
import type { Palette } from "./renderer.ts";

const LIGHT: Palette = {
  kinds: { risk: "#9a4a00", exchange: "#0b6170", protocol: "#4a5fa8", other: "#7a5a8c", wallet: "#7b8a8a" },
  ...{ text: "#152020", ground: "#ffffff", edge: "#c3cccc", mark: "#d9730d" },
};

const DARK: Palette = {
  kinds: { risk: "#f0a35e", exchange: "#5fc9d8", protocol: "#93a6ee", other: "#c3a3d6", wallet: "#8fa0a0" },
  ...{ text: "#e4ebea", ground: "#171e1e", edge: "#3c4949", mark: "#ffb566" },
};

export const paletteNow = (): Palette => {
  const chosen = theme.get();
  const is_dark = chosen === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  return is_dark ? DARK : LIGHT;
};
