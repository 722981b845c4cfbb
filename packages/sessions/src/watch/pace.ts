/** So many at the same time; later ones wait for one of them to end. */
export type Pace = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createPace(max: number): Pace {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the longest waiter, and is never free in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
