/**
 * One sentence that every implementation of a port must keep, with its check. Framework-free: any
 * test runner can run it.
 */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface ContractOptions<Subject> {
  /** A fresh implementation for each case. */
  readonly create: () => Subject | Promise<Subject>;
  readonly destroy?: (subject: Subject) => void | Promise<void>;
  /** Deviations, each with its reason; a name that is no case is an error. */
  readonly skip?: readonly { readonly name: string; readonly reason: string }[];
}

/** Binds the sentences of a contract to an implementation. */
export function bindContract<Subject>(
  sentences: Readonly<Record<string, (subject: Subject) => Promise<void>>>,
  options: ContractOptions<Subject>,
): ContractCase[] {
  const skipped = new Set(options.skip?.map(({ name }) => name));
  for (const name of skipped) {
    if (!Object.hasOwn(sentences, name)) throw new RangeError(`no sentence is called "${name}"`);
  }
  return Object.entries(sentences)
    .filter(([name]) => !skipped.has(name))
    .map(([name, check]) => ({
      name,
      run: async () => {
        const subject = await options.create();
        try {
          await check(subject);
        } finally {
          await options.destroy?.(subject);
        }
      },
    }));
}
