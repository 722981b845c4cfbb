/** The three roles, which are groups: an operator grants them to those who log in. */
export interface Roles {
  /** Owns the tables, and changes them. */
  readonly owner: string;
  /** Carries runs. It can neither change nor delete an event or a receipt. */
  readonly worker: string;
  /** Looks, and sees no key of a run. */
  readonly reader: string;
}

/** Names of roles are names of the whole server, so they carry the name of their database. */
export function defaultRoles(database: string): Roles {
  return {
    owner: `${database}_owner`,
    worker: `${database}_worker`,
    reader: `${database}_reader`,
  };
}

/** The roles of the database in an address, by default. */
export function rolesOf(url: string, roles: Partial<Roles> | undefined): Roles {
  const path = decodeURIComponent(new URL(url).pathname.slice(1));
  if (path === "") throw new RangeError("the address of a database names the database");
  return { ...defaultRoles(path), ...roles };
}

/** A name as it stands in a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The rights of the roles. Every migration sets them all again, so that earlier grants do not
 * matter.
 */
export function renderGrants(roles: Roles): string {
  const [worker, reader] = [quoteName(roles.worker), quoteName(roles.reader)];
  return `
    revoke all on all tables in schema turnseal from public, ${worker}, ${reader};
    revoke all on all sequences in schema turnseal from public, ${worker}, ${reader};
    grant usage on schema turnseal to ${worker}, ${reader};
    grant select on turnseal.migration, turnseal.head, turnseal.segment, turnseal.inbox,
      turnseal.blob, turnseal.receipt, turnseal.run, turnseal.waiting,
      turnseal.release, turnseal.tenant, turnseal.archived, turnseal.archive_place,
      turnseal.pause, turnseal.signing_key, turnseal.value, turnseal.value_entry, turnseal.outbox,
      turnseal.graph, turnseal.graph_node, turnseal.graph_edge, turnseal.graph_transition
      to ${worker}, ${reader};
    grant select on turnseal.audit to ${reader};
    grant execute on function turnseal.note_seen(text, text, json),
      turnseal.note_key(text, text, text, text, timestamptz, timestamptz) to ${worker};
    grant usage on sequence turnseal.inbox_arrival, turnseal.value_version to ${worker};
    grant execute on function turnseal.change_values(text, text, json) to ${worker};
    grant insert, delete on turnseal.value to ${worker};
    grant update (version, body) on turnseal.value to ${worker};
    grant select, insert on turnseal.value_log to ${worker};
    grant update (last_number) on turnseal.value_log to ${worker};
    grant insert on turnseal.value_entry to ${worker};
    grant execute on function turnseal.write_graph(text, uuid, bigint, bigint, json) to ${worker};
    grant insert, delete on turnseal.graph, turnseal.graph_node, turnseal.graph_edge to ${worker};
    grant update (sequence) on turnseal.graph to ${worker};
    grant update (status, version, object) on turnseal.graph_node to ${worker};
    grant select on turnseal.run_key, turnseal.cached_call, turnseal.cache_key to ${worker};
    grant insert on turnseal.head, turnseal.segment, turnseal.inbox, turnseal.blob,
      turnseal.run_key, turnseal.receipt, turnseal.run, turnseal.waiting,
      turnseal.cached_call, turnseal.cache_key to ${worker};
    grant insert, delete on turnseal.outbox to ${worker};
    grant select, insert on turnseal.tenant_spent, turnseal.tenant_pace to ${worker};
    grant update (day, tokens, money_micros) on turnseal.tenant_spent to ${worker};
    grant update (next_at) on turnseal.tenant_pace to ${worker};
    grant update (run, turn, call, digest, expires_at) on turnseal.cached_call to ${worker};
    grant update (epoch, sequence, hash, is_erased) on turnseal.head to ${worker};
    grant update (body, fingerprint) on turnseal.inbox to ${worker};
    grant update (has_content) on turnseal.archived to ${worker};
    grant update (sequence, state, due_at, ended_at, is_erased, started_at)
      on turnseal.run to ${worker};
    grant delete on turnseal.blob, turnseal.run_key, turnseal.run, turnseal.waiting,
      turnseal.cached_call to ${worker};`;
}
