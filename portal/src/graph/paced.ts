/** A frame that took less is no burden. */
const LIGHT_MS = 40;

/**
 * Draws as often as it is asked to, but on a slow machine leaves the page three times as long for everything else as drawing
 * took: from one frame to the next but one, because what the graphics wait for shows there.
 */
export const paced = (draw: () => void): (() => void) => {
  let is_busy = false;
  let is_wanted = false;
  const go = (): void => {
    is_busy = true;
    is_wanted = false;
    const begun = performance.now();
    draw();
    const rested = (): void => {
      is_busy = false;
      if (is_wanted) go();
    };
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const took = performance.now() - begun;
        setTimeout(rested, took < LIGHT_MS ? 0 : took * 3);
      }),
    );
  };
  return () => {
    if (is_busy) is_wanted = true;
    else go();
  };
};
