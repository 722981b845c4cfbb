const watched: readonly object[] = [
  ...[Object, Array, Function, String, Number, Boolean, Promise, Map, Set, RegExp].map(
    ({ prototype }) => prototype as object,
  ),
  globalThis,
];

/** Answers with what has been added to the prototypes since it was made. */
export function watchPrototypes(): () => string[] {
  // Node adds names of its own to the global object at the first use of one of these.
  new Response();
  const before = watched.map((target) => Reflect.ownKeys(target).length);
  return () =>
    watched.flatMap((target, index) =>
      Reflect.ownKeys(target).length === before[index]
        ? []
        : [`a prototype has other keys: ${Reflect.ownKeys(target).slice(-3).map(String).join()}`],
    );
}
