/** Keeps the focus inside the page: when the element that has it goes away, its nearest remaining part takes it. */

/** Ancestors of an element, the nearest first. */
const ancestorsOf = (element: Element): readonly HTMLElement[] => {
  const list: HTMLElement[] = [];
  for (let one = element.parentElement; one !== null && one !== document.body; one = one.parentElement) list.push(one);
  return list;
};

/** Parts that make sense to a screen reader as the next place. */
const PARTS = "section, main, [role=dialog], nav, header";

/** To be called once. */
export const keepFocus = (): void => {
  let last: Element | null = null;
  let around: readonly HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    around = ancestorsOf(target);
  });
  new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    const next = around.find((one) => one.isConnected && one.matches(PARTS));
    last = null;
    if (next === undefined) return;
    if (!next.hasAttribute("tabindex")) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
};
