// The seat keys of this browser, and invitation links.

import { ask, pageLink } from "./api.js";

/** The maximum number of sessions with stored keys; the oldest are dropped. */
const MAX_SESSIONS = 300;

/**
 * The keys of this browser for a session.
 * @typedef {object} Held
 * @property {string} [owner] the key of the creator
 * @property {Record<string, string>} seats the keys of seats
 * @property {Record<string, string>} invited the keys of seats with an invitation
 * @property {boolean} hidden whether the game has hidden information
 */

const read = () => { try { return JSON.parse(localStorage.getItem("keys") ?? "{}"); } catch { return {}; } };

/** @param {string} id @returns {Held} */
export const heldAt = (id) => read()[id] ?? { seats: {}, invited: {}, hidden: false };

/** @param {string} id @param {Held} held */
export function keep(id, held) {
  const { [id]: _, ...others } = read();
  const all = Object.entries(others).slice(-(MAX_SESSIONS - 1));
  localStorage.setItem("keys", JSON.stringify(Object.fromEntries([...all, [id, held]])));
}

/** Stores the keys of a new session. */
export function keepCreated({ session, keys, open }) {
  const seats = Object.fromEntries(keys.seats.flatMap((key, seat) => (key ? [[seat, key]] : [])));
  keep(session, { owner: keys.owner, seats, invited: {}, hidden: !open });
}

/** The keys to send: only that of `seat` if given, else all. */
export function keysFor(held, seat = null) {
  const seats = seat === null ? Object.values(held.seats) : [held.seats[seat]];
  return [...seats, held.owner].filter(Boolean);
}

/** Claims the seat of an invitation link, which is then used up. */
export async function takeSeat(id, seat, key) {
  const held = heldAt(id);
  if (held.seats[seat]) return;
  const taken = await ask(`/api/sessions/${id}/seats/${seat}`, { method: "POST", keys: [key] });
  keep(id, { ...held, seats: { ...held.seats, [seat]: taken.key } });
}

/** Creates an invitation link, and gives up the seat in this browser. */
export function giveAway(id, seat) {
  const held = heldAt(id);
  const { [seat]: key = held.invited[seat], ...seats } = held.seats;
  keep(id, { ...held, seats, invited: { ...held.invited, [seat]: key } });
  return seatLink(id, seat, key);
}

/** The link of a seat with its key. */
export const seatLink = (id, seat, key) => pageLink(`#/play/${id}?seat=${seat}&key=${key}`);
