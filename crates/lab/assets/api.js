// The server: requests, and sessions that are followed over a WebSocket.

/** The value of `name` in the query of the address. A + is a +: tokens have no spaces. */
function given(name) {
  const found = new RegExp(`[?&]${name}=([^&]*)`).exec(location.search)?.[1];
  try { return found ? decodeURIComponent(found) : null; } catch { return found; }
}

/** The token of the server: from the address once, then kept by this browser. */
let token = given("token") ?? localStorage.getItem("token");
if (given("token")) {
  localStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname + location.hash);
}

/** Presents another token from now on. @param {string} text */
export function useToken(text) {
  token = text;
  localStorage.setItem("token", text);
}

/**
 * Asks the server; throws an Error with its complaint and its status.
 * @param {string} path
 * @param {{ body?: object, method?: string, keys?: string[] }} [options] a body is posted
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
  try { answer = JSON.parse(text); } catch { /* An answer that is no JSON is told as it is. */ }
  if (!response.ok) throw Object.assign(new Error(answer?.error ?? (text || response.statusText)), { status: response.status });
  return answer;
}

/** An address with the token, for links and sockets. */
export const withToken = (path) => (token ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : path);

/** The address of a page of this server for somebody else. @param {string} hash */
export const pageLink = (hash) => `${location.origin}${withToken("/")}${hash}`;

/**
 * Follows a session; connects again when the connection is lost.
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
    /** Sends a command; whether there was a connection to send it over. @param {object} command */
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
