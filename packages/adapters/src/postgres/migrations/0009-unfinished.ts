/**
 * Runs that have not ended, by themselves: there are few of them beside all that have, and whoever
 * deploys asks for each. Nothing changes for a program that does not know of it.
 */
export const unfinished = `
create index run_unfinished on turnseal.run (tenant, run) where ended_at is null;
`;
