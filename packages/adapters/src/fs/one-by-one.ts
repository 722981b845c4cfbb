export type OneByOne = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Does work in the order in which it comes, each when the one before has ended, however it did. */
export function oneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
