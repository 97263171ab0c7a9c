// The API client: requests, and sessions over a WebSocket.

/** The value of `name` in the query of the page. A + is not decoded to a space: tokens have none. */
function queryValue(name) {
  const found = new RegExp(`[?&]${name}=([^&]*)`).exec(location.search)?.[1];
  try { return found ? decodeURIComponent(found) : null; } catch { return found; }
}

/** The access token: from the URL once, then from local storage. */
let token = queryValue("token") ?? localStorage.getItem("token");
if (queryValue("token")) {
  localStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname + location.hash);
}

/** Sets the access token. @param {string} text */
export function useToken(text) {
  token = text;
  localStorage.setItem("token", text);
}

/**
 * Sends a request; throws an Error with the message and status of an error response.
 * @param {string} path
 * @param {{ body?: object, method?: string, keys?: string[] }} [options] a body implies POST
 */
export async function ask(path, { body, method, keys = [] } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (keys.length) headers["Meeple-Key"] = keys.join(",");
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method: method ?? (body ? "POST" : "GET"),
    headers,
    body: body ? JSON.stringify(body) : undefined,
  });
  if (response.status === 204) return null;
  const text = await response.text();
  let answer = null;
  try { answer = JSON.parse(text); } catch { /* A response that is not JSON is shown as text. */ }
  if (!response.ok) throw Object.assign(new Error(answer?.error ?? (text || response.statusText)), { status: response.status });
  return answer;
}

/** A URL with the token, for links and WebSockets. */
export const withToken = (path) => (token ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : path);

/** A shareable URL of a page. @param {string} hash */
export const pageLink = (hash) => `${location.origin}${withToken("/")}${hash}`;

/**
 * Subscribes to a session; reconnects when the connection is lost.
 * @param {string} id
 * @param {string[]} keys
 * @param {{ hear: (message: any) => void, connected: (is: boolean) => void }} page
 */
export function follow(id, keys, page) {
  let socket = null;
  let closed = false;
  let wait = 300;
  const connect = () => {
    const query = keys.map((key) => `key=${key}`).join("&");
    const address = new URL(withToken(`/api/sessions/${id}/ws${query ? `?${query}` : ""}`), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => { wait = 300; if (!closed) page.connected(true); };
    socket.onmessage = (event) => { if (!closed) page.hear(JSON.parse(event.data)); };
    socket.onclose = () => {
      if (closed) return;
      page.connected(false);
      setTimeout(() => { if (!closed) connect(); }, wait);
      wait = Math.min(2 * wait, 5000);
    };
  };
  connect();
  return {
    /** Sends a command; returns whether the connection was open. @param {object} command */
    send(command) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(command));
      return true;
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}
