/** What people, and others, said to a run, as the simulation itself knows it. */
import type { Identity } from "@turnseal/protocol";

export interface Said {
  /** The run whose inbox holds it. */
  readonly run: string;
  /** The hash of the request that it is about. */
  readonly about: string;
  /** The choice of an approval; undefined for an answer. */
  readonly choice: string | undefined;
  readonly by: Identity;
  readonly receivedAt: string;
  /** The arguments that the person saw, in canonical form. */
  readonly shown: string;
  /** False for an edit or an answer of the wrong shape. */
  readonly fits: boolean;
}
