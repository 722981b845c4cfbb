import { bindValues } from "./bind-values.ts";
import { memoryValueRows } from "./memory-value-rows.ts";
import type { ValueStateLayer } from "./value-state.ts";

/** Values of one process, which end with it. */
export class InMemoryVSL implements ValueStateLayer {
  readonly #values = bindValues(memoryValueRows());
  readonly get = this.#values.get;
  readonly set = this.#values.set;
  readonly delete = this.#values.delete;
  readonly list = this.#values.list;
  readonly read = this.#values.read;
  readonly compareAndSet = this.#values.compareAndSet;
  readonly transact = this.#values.transact;
  readonly snapshot = this.#values.snapshot;
  readonly restore = this.#values.restore;
  readonly append = this.#values.append;
  readonly readLog = this.#values.readLog;
}
