/**
 * How large each message is: an inbox is full from a number of bytes on, and nobody reads bodies to
 * count them. What a program puts that does not know of it counts as nothing.
 */
export const inboxBytes = `
alter table turnseal.inbox add column bytes integer not null default 0;
`;
