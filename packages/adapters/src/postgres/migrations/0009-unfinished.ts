/**
 * An index of runs that have not ended: there are few of them, and a deployment reads each. A
 * program without this migration works as before.
 */
export const unfinished = `
create index run_unfinished on turnseal.run (tenant, run) where ended_at is null;
`;
