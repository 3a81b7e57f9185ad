/** One read at a time. Callers during a read get the next one, never the one already running. */
export const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    const started = read();
    current = started;
    const clear = (): void => {
      if (current === started) current = null;
    };
    started.then(clear, clear);
    return started;
  };
  return () => {
    if (current === null) return start();
    if (next === null) {
      const settled = current.then(
        () => undefined,
        () => undefined,
      );
      next = settled.then(() => {
        next = null;
        return start();
      });
    }
    return next;
  };
};
