import type { DatabaseSync } from "node:sqlite";
import { GRAPH_ROWS_MAX } from "@turnseal/ports";
import { invariant } from "@turnseal/protocol";
import type {
  GraphEdgeRow,
  GraphNodeRow,
  GraphRowChange,
  GraphWrite,
} from "@turnseal/protocol/graph";
import { type Row, readInteger, readObject, readText } from "../columns.ts";

/** Statements on the graphs of runs. */
export interface GraphStatements {
  readSequence(run: string): number | undefined;
  /** Writes the changes of an append, or the whole graph, one row after another. */
  write(number: number, write: GraphWrite, sequence: number): void;
  listNodes(run: string, after: string): GraphNodeRow[];
  listEdges(run: string, after: GraphEdgeRow | undefined): GraphEdgeRow[];
  drop(number: number): void;
}

const ofRun = "run_number = (select number from head where run = ?)";

export function graphStatements(db: DatabaseSync): GraphStatements {
  const readSequence = db.prepare(`select sequence from graph where ${ofRun}`);
  const drop = db.prepare("delete from graph where run_number = ?");
  const create = db.prepare("insert into graph (run_number, sequence) values (?, ?)");
  const move = db.prepare("update graph set sequence = ? where run_number = ? and sequence = ?");
  const writeRow = rowWriter(db);
  const listNodes = db.prepare(`
    select id, type, status, version, owner, place, object from graph_node
     where ${ofRun} and id > ? order by id limit ${GRAPH_ROWS_MAX}`);
  const listEdges = db.prepare(`
    select source, kind, target from graph_edge
     where ${ofRun} and (source, kind, target) > (?, ?, ?)
     order by source, kind, target limit ${GRAPH_ROWS_MAX}`);
  return {
    readSequence: (run) => {
      const row = readSequence.get(run);
      return row === undefined ? undefined : readInteger(row, "sequence");
    },
    write: (number, { from, changes }, sequence) => {
      if (from === 0) {
        drop.run(number);
        create.run(number, sequence);
      } else invariant(move.run(sequence, number, from).changes === 1, "a graph stands elsewhere");
      for (const change of changes) writeRow(number, change);
    },
    listNodes: (run, after) => listNodes.all(run, after).map(toNode),
    listEdges: (run, after) =>
      listEdges.all(run, after?.from ?? "", after?.kind ?? "", after?.to ?? "").map(toEdge),
    drop: (number) => void drop.run(number),
  };
}

function rowWriter(db: DatabaseSync): (number: number, change: GraphRowChange) => void {
  const add = db.prepare(`
    insert into graph_node (run_number, id, type, status, version, owner, place, object)
    values (?, ?, ?, ?, 1, ?, ?, ?)`);
  const set = db.prepare(`
    update graph_node set status = ?, version = ?, object = ? where run_number = ? and id = ?`);
  const remove = db.prepare("delete from graph_node where run_number = ? and id = ?");
  const link = db.prepare(
    "insert into graph_edge (run_number, source, kind, target) values (?, ?, ?, ?)",
  );
  const unlink = db.prepare(
    "delete from graph_edge where run_number = ? and source = ? and kind = ? and target = ?",
  );
  return (number, change) => {
    switch (change.kind) {
      case "node": {
        const { id, type, status, version, owner, place } = change.node;
        const object = JSON.stringify(change.node.object);
        if (version === 1) add.run(number, id, type, status, owner, place, object);
        else
          invariant(
            set.run(status, version, object, number, id).changes === 1,
            `node-unknown: ${id}`,
          );
        break;
      }
      case "node-removed":
        remove.run(number, change.id);
        break;
      case "edge":
        link.run(number, change.edge.from, change.edge.kind, change.edge.to);
        break;
      case "edge-removed":
        unlink.run(number, change.edge.from, change.edge.kind, change.edge.to);
        break;
    }
  };
}

function toNode(row: Row): GraphNodeRow {
  return {
    ...{ id: readText(row, "id"), type: readText(row, "type"), status: readText(row, "status") },
    version: readInteger(row, "version"),
    owner: row["owner"] === null ? null : readText(row, "owner"),
    place: row["place"] === null ? null : readInteger(row, "place"),
    object: readObject(row, "object"),
  };
}

function toEdge(row: Row): GraphEdgeRow {
  return {
    kind: readText(row, "kind"),
    from: readText(row, "source"),
    to: readText(row, "target"),
  };
}
