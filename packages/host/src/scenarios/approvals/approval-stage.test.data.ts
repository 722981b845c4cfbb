/** A run that waits for an approval, and everything that an attacker or an honest person can do. */
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { type EventOf, hashEvent, type Identity, type JsonObject } from "@turnseal/protocol";
import type { WaitingRequest } from "../../messages/requests.ts";
import { ada, type Desk, type DeskOptions, openDesk } from "../__fixtures__/refund-desk.ts";

/** The fields of a forged decision that differ. */
type Forged = Partial<
  Pick<
    EventOf<"approval.decided">,
    "epoch" | "at" | "sequence" | "actor" | "content" | "turn" | "call" | "run"
  >
>;

export interface Stage {
  readonly run: string;
  /** The open requests when the run was parked. */
  readonly requests: readonly WaitingRequest[];
  /** The desk as it is now. */
  desk(): Desk;
  /** The process ends, and another goes on. */
  reopen(options?: DeskOptions): void;
  approve(by?: Identity, index?: number): Promise<PutAnswer>;
  reject(by?: Identity, index?: number): Promise<PutAnswer>;
  /** A row that somebody put there without asking the host. */
  put(kind: InboxMessage["kind"], body: JsonObject, run?: string): Promise<PutAnswer>;
  /** A decision as an event, bound and hashed as it should be, to follow the log as it is. */
  forge(fields?: Forged): Promise<EventOf<"approval.decided">>;
}

export async function openStage(options: DeskOptions = {}): Promise<Stage> {
  let desk = openDesk(options);
  const run = await desk.start();
  await desk.drive(run);
  const requests = (await desk.host.requests(run)).filter((asked) => asked.kind !== "unknown");
  let rows = 0;
  const decide =
    (choice: "approve" | "reject") =>
    (by: Identity = ada, index = 0) =>
      desk.host.decide(run, requests[index]?.id ?? "", { choice, by });
  return {
    run,
    requests,
    desk: () => desk,
    reopen: (next = {}) => {
      desk = openDesk({ ...options, ...next, after: desk });
    },
    approve: decide("approve"),
    reject: decide("reject"),
    put: (kind, body, to = run) => {
      rows += 1;
      return desk.stores.inbox.put({ run: to, kind, key: `row-${rows}`, body });
    },
    forge: async (fields = {}) => {
      const last = (await desk.events(run)).at(-1);
      const request = requests[0];
      if (last === undefined || request === undefined) throw new Error("nothing waits");
      const forged = {
        ...{ id: "forged", run, sequence: last.sequence + 1, epoch: last.epoch, at: last.at },
        ...{ type: "approval.decided" as const, actor: { kind: "person", id: "ada" } as const },
        ...{ turn: 1, call: request.call, previous: last.hash },
        ...(request.parentCall === null ? {} : { parentCall: request.parentCall }),
        content: {
          ...{ key: request.key, approval: request.sequence, hash: request.hash },
          ...{ choice: "approve" as const, roles: ["finance"], receivedAt: last.at },
        },
        ...fields,
      };
      return { ...forged, hash: hashEvent(forged) };
    },
  };
}

/** A decision as the host would put it. */
export function decision(
  request: Pick<WaitingRequest, "hash"> | undefined,
  fields: JsonObject = {},
): JsonObject {
  const by = { id: "ada", roles: ["finance"] };
  return { approval: request?.hash ?? "", choice: "approve", by, ...fields };
}

/** How it ended: why it stopped or what it waits for, what was refunded, and what was not taken. */
export async function readEnd(stage: Stage): Promise<{
  readonly end: string;
  readonly made: readonly string[];
  readonly refused: readonly unknown[];
}> {
  const desk = stage.desk();
  const end = await desk.drive(stage.run);
  const refused = (await desk.events(stage.run)).flatMap(({ type, content }) =>
    type === "signal.received" && content.kind === "refused" ? [content.why] : [],
  );
  return { end, made: desk.made.map(({ order, cents }) => `${order} ${cents}`), refused };
}
