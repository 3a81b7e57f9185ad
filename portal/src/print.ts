/** Paper shows what the screen folds away: while the page is printed, tables have all their rows. */
import { options } from "preact";
import { createStore } from "./store.ts";

export const printing = createStore(false);

/** The browser lays the paper out as soon as the event is over: what changes is drawn before that. */
const setPrinting = (is_printing: boolean): void => {
  const later = options.debounceRendering;
  options.debounceRendering = (draw) => draw();
  printing.set(is_printing);
  if (later === undefined) delete options.debounceRendering;
  else options.debounceRendering = later;
};

/** To be called once. */
export const followPrinting = (): void => {
  addEventListener("beforeprint", () => setPrinting(true));
  addEventListener("afterprint", () => setPrinting(false));
};
