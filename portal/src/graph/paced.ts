/** Frames that take less are drawn without a pause. */
const LIGHT_MS = 40;

/**
 * Draws on every request. After a slow frame, pauses for three times its duration so that the page stays responsive. The
 * duration spans two frames, because a wait for the graphics shows only there.
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
