/** What was begun for one call and may outlive it: questions to resolvers, connections, workers. */
export type Work = {
  /** Counts something that begins now; what comes back ends it, once. */
  readonly begin: () => () => void;
  /** Calls `then` as soon as nothing is under way, at once where nothing is. */
  readonly whenOver: (then: () => void) => void;
};

/** Nothing is under way yet. */
export function createWork(): Work {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const end = (): void => {
    underWay--;
    if (underWay > 0) return;
    const told = waiting;
    waiting = [];
    for (const then of told) then();
  };
  return {
    begin: () => {
      underWay++;
      let isUnderWay = true;
      return () => {
        if (isUnderWay) end();
        isUnderWay = false;
      };
    },
    whenOver: (then) => {
      if (underWay === 0) then();
      else waiting.push(then);
    },
  };
}
