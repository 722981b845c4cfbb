/**
 * The size of each message: an inbox is full from a number of bytes on, and counting must not read
 * bodies. Messages from a program without this migration count as zero bytes.
 */
export const inboxBytes = `
alter table turnseal.inbox add column bytes integer not null default 0;
`;
