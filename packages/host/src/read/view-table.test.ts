// Runs in all their views: every event appears where the table says, and nothing appears twice.
import { readFileSync } from "node:fs";
import { foldRun } from "@turnseal/folds/graph";
import { isVendorEvent, type LoopEvent } from "@turnseal/protocol";
import type { Statement } from "@turnseal/protocol/receipts";
import { pickCallEvents, toTrace } from "@turnseal/protocol/trace";
import { type Appearance, VIEW_TABLE, VIEWS, type View } from "@turnseal/views";
import { followMplp } from "@turnseal/views/mplp";
import { followProv } from "@turnseal/views/prov";
import { expect, test } from "vitest";
import { collectRun } from "./run/collect-run.ts";
import { listSampleRuns, type SampleRun } from "./sample-runs.test.data.ts";
import { readSession } from "./session/read-session.ts";

const samples = await listSampleRuns();

interface Shown {
  readonly sequence: number;
  readonly name: string;
  /** Distinguishes it from everything else in the view. */
  readonly identity: string;
}

type Show = (sample: SampleRun) => Promise<readonly Shown[]> | readonly Shown[];

const show: Readonly<Record<View, Show>> = {
  lsem: ({ events }) => {
    let before = 0;
    return events.flatMap((event, index) => {
      const trace = toTrace(pickCallEvents(events.slice(0, index + 1)));
      const added = trace.slice(before).map(({ type }, place) => ({
        ...{ sequence: event.sequence, identity: `${before + place}` },
        name: isVendorEvent(event) && type === event.type ? "its own type" : type,
      }));
      before = trace.length;
      return added;
    });
  },
  session: async ({ stores, run }) => {
    const page = await readSession(stores, run);
    return (page?.envelopes ?? []).map(({ sequence, type, id }) => ({
      ...{ sequence, name: type, identity: id },
    }));
  },
  mplp: ({ run, events }) => {
    const follow = followMplp(run);
    return events.flatMap((event) =>
      follow(event).map(({ event_id: _, ...said }) => ({
        ...{ sequence: said.log_sequence, name: String(said.event_type) },
        identity: JSON.stringify(said),
      })),
    );
  },
  receipt: async ({ stores, run, events }) => {
    const { receipts } = await collectRun(stores, run);
    return receipts.flatMap((text) => listSealed(text, events));
  },
  prov: ({ events }) => {
    const follow = followProv();
    return events.flatMap((event) =>
      follow(event).map(({ kind, id, sequence }) => ({ sequence, name: kind, identity: id })),
    );
  },
  graph: ({ run, events }) => {
    const shown: Shown[] = [];
    let sequence = 0;
    const { follow } = foldRun(run, (type, fields) => {
      const { node_type: node, resource_type: resource } = fields["payload"] as never;
      const identity = `${sequence} ${type} ${JSON.stringify(fields)}`;
      shown.push({ sequence, name: node ?? resource, identity });
    });
    for (const event of events) {
      ({ sequence } = event);
      follow(event);
    }
    return shown;
  },
};

/** The parts of a receipt about each event: its range covers all, and some are named one by one. */
function listSealed(text: string, events: readonly LoopEvent[]): readonly Shown[] {
  const { payload } = JSON.parse(text) as { readonly payload: string };
  const statement = JSON.parse(Buffer.from(payload, "base64").toString()) as Statement;
  const { events: range, effects, loops, groups = [] } = statement.predicate;
  const own = events.filter(({ sequence }) => sequence >= range.first && sequence <= range.last);
  const firstOf = new Map<string, number>();
  for (const event of own)
    if (event.type === "call.started" && event.content.digest !== undefined) {
      const key = `${event.content.loop} ${event.content.version}`;
      if (!firstOf.has(key)) firstOf.set(key, event.sequence);
    }
  const named = effects.flatMap(({ claim, end, approval }) => [
    ...[claim.sequence, ...(end === undefined ? [] : [end.sequence])],
    ...(approval === undefined
      ? []
      : [approval.sequence, ...approval.decisions.map(({ sequence }) => sequence)]),
  ]);
  return [
    ...own.map(({ sequence }) => ({ sequence, name: "events", identity: `${sequence}` })),
    ...[...new Set(named)].map((sequence) => ({
      ...{ sequence, name: "effects", identity: `effect ${sequence}` },
    })),
    ...groups.map(({ closed: { sequence } }) => ({
      ...{ sequence, name: "groups", identity: `group ${sequence}` },
    })),
    ...loops.map(({ loop, version }) => ({
      ...{ sequence: firstOf.get(`${loop} ${version}`) ?? 0, name: "loops" },
      identity: `${range.first} ${loop} ${version}`,
    })),
  ];
}

const rowOf = (event: LoopEvent) => VIEW_TABLE[isVendorEvent(event) ? "vendor" : event.type];

test.each(samples)("$name appears in each view as the table says", async (sample) => {
  const bySequence = new Map(sample.events.map((event) => [event.sequence, event]));
  for (const view of VIEWS) {
    const shown = await show[view](sample);
    // Everything shown is in the log, and once.
    expect(shown.filter(({ sequence }) => !bySequence.has(sequence))).toEqual([]);
    const identities = shown.map(({ identity }) => identity);
    expect(new Set(identities).size, view).toBe(identities.length);
    const names = Map.groupBy(shown, ({ sequence }) => sequence);
    for (const event of sample.events) {
      const { always = [], sometimes = [] } = rowOf(event)[view];
      const seen = new Set((names.get(event.sequence) ?? []).map(({ name }) => name));
      const where = `${view} ${event.type} ${event.sequence}`;
      expect(
        [...seen].filter((name) => ![...always, ...sometimes].includes(name)),
        where,
      ).toEqual([]);
      expect(
        always.filter((name) => !seen.has(name)),
        where,
      ).toEqual([]);
    }
  }
});

/** Rows that are possible and that no sample has, with the reason. */
const UNSEEN: readonly string[] = [
  // A host closes the turn before it stops the run; logs of others may not.
  "run.stopped session generation-failure",
  // A prompt learns of all its requests before it completes, unless a log leaves it out.
  "call.completed session tool-error",
  // Other runs are looked for and not made again: only a person can say how one of them ended.
  "action.resolved session tool-result",
  "action.resolved session tool-error",
  "action.resolved mplp agent_execution_completed",
  "action.resolved mplp MAPTurnCompleted",
  // A plan here is what its run was started with, and that is content already.
  "plan.proposed prov entity",
];

test("every type of the log is in a sample, and so is nearly all that the table says", async () => {
  const seen = new Set<string>();
  for (const sample of samples)
    for (const view of VIEWS) {
      const shown = await show[view](sample);
      const byPlace = Map.groupBy(shown, ({ sequence }) => sequence);
      for (const event of sample.events) {
        const type = isVendorEvent(event) ? "vendor" : event.type;
        seen.add(type);
        for (const { name } of byPlace.get(event.sequence) ?? [])
          seen.add(`${type} ${view} ${name}`);
      }
    }
  const said = Object.entries(VIEW_TABLE).flatMap(([type, row]) => [
    type,
    ...VIEWS.flatMap((view) => {
      const { always = [], sometimes = [] } = row[view];
      return [...always, ...sometimes].map((name) => `${type} ${view} ${name}`);
    }),
  ]);
  expect(said.filter((name) => !seen.has(name))).toEqual(UNSEEN);
});

function renderAppearance({ always = [], sometimes = [] }: Appearance): string {
  const codes = (names: readonly string[]): string =>
    names.map((name) => (name.includes(" ") ? name : `\`${name}\``)).join(", ");
  const parts = [codes(always), sometimes.length === 0 ? "" : `(${codes(sometimes)})`];
  return parts.filter((part) => part !== "").join(", ") || "–";
}

test("the specification has the table as it is here", () => {
  const text = readFileSync(new URL("../../../../spec/views.md", import.meta.url), "utf8");
  const rows = Object.entries(VIEW_TABLE).map(([type, row]) => {
    const name = type === "vendor" ? "a vendor's" : `\`${type}\``;
    return `| ${[name, ...VIEWS.map((view) => renderAppearance(row[view]))].join(" | ")} |`;
  });
  const start = text.indexOf("<!-- views:start -->");
  const end = text.indexOf("<!-- views:end -->");
  const written = text.slice(start, end).split("\n");
  expect(written.filter((line) => line.startsWith("| `") || line.startsWith("| a ven"))).toEqual(
    rows,
  );
});
