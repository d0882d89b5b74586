/** Resolves in the next turn of the event loop, after what has come in by then; no waiting. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
