//! All routes, each with what its description says.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{MethodRouter, delete, get, post};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use tower_http::compression::CompressionLayer;

use crate::lab::Lab;
use crate::{
    assets, cards, endpoints, games, guard, openapi, poker, replays, runs, socket, training,
};

/// The schema of a type.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A route and its description.
pub(crate) struct Endpoint {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) request: Option<SchemaOf>,
    pub(crate) answer: Option<SchemaOf>,
    route: MethodRouter<Arc<Lab>>,
}

impl Endpoint {
    fn get<A: JsonSchema>(
        path: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Lab>>,
    ) -> Self {
        let answer = Some(schema_of::<A> as SchemaOf);
        Self { method: "get", path, summary, request: None, answer, route }
    }

    fn post<R: JsonSchema, A: JsonSchema>(
        path: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Lab>>,
    ) -> Self {
        let request = Some(schema_of::<R> as SchemaOf);
        let answer = Some(schema_of::<A> as SchemaOf);
        Self { method: "post", path, summary, request, answer, route }
    }
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Every route of the API.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let mut all = sessions();
    all.extend([
        Endpoint::get::<endpoints::Status>(
            "/api/status",
            "How much the server does",
            get(endpoints::status),
        ),
        Endpoint::get::<Vec<games::GameInfo>>(
            "/api/games",
            "The games, with their usual tables and bots",
            get(games::list),
        ),
        Endpoint::get::<std::collections::BTreeMap<String, String>>(
            "/api/magic/cards",
            "The built-in cards of Magic in English, by name",
            get(cards::list),
        ),
        Endpoint::get::<Vec<runs::RunInfo>>(
            "/api/runs",
            "The runs, the newest first",
            get(runs::list),
        ),
        Endpoint::get::<runs::RunDetails>(
            "/api/runs/{run}",
            "What a run found; slashes of its name are written %2F",
            get(runs::show),
        ),
        Endpoint::get::<training::TrainingInfo>(
            "/api/runs/{run}/training",
            "How a training went: losses, speed, and the strength of its networks",
            get(training::show),
        ),
        Endpoint {
            method: "get",
            path: "/api/runs/{run}/report",
            summary: "The report of a run, as HTML",
            request: None,
            answer: None,
            route: get(runs::report),
        },
        Endpoint::get::<replays::ReplayInfo>(
            "/api/runs/{run}/replays/{file}",
            "A game that was played",
            get(replays::show),
        ),
        Endpoint::get::<replays::FrameInfo>(
            "/api/runs/{run}/replays/{file}/{step}",
            "The table before a step of a game; ?seat=N for whose side is drawn",
            get(replays::frame),
        ),
        Endpoint::post::<poker::RangeQuestion, poker::RangeAnswer>(
            "/api/poker/range",
            "Read a range of hands",
            post(poker::range),
        ),
        Endpoint::post::<poker::EquityQuestion, poker::EquityAnswer>(
            "/api/poker/equity",
            "How often hands or ranges win, exactly or sampled",
            post(poker::compare),
        ),
        Endpoint::get::<serde_json::Value>(
            "/api/openapi.json",
            "This description",
            get(openapi::serve),
        ),
    ]);
    all
}

fn sessions() -> Vec<Endpoint> {
    vec![
        Endpoint::post::<endpoints::NewSession, endpoints::Created>(
            "/api/sessions",
            "Begin a game",
            post(endpoints::create),
        ),
        Endpoint::get::<crate::view::View>(
            "/api/sessions/{id}",
            "The table as the holder of the keys sees it",
            get(endpoints::show),
        ),
        Endpoint {
            method: "delete",
            path: "/api/sessions/{id}",
            summary: "Forget a game",
            request: None,
            answer: None,
            route: delete(endpoints::forget),
        },
        Endpoint::post::<crate::commands::Command, crate::view::View>(
            "/api/sessions/{id}/commands",
            "Play, take back, pause, think: whatever is done at a table",
            post(endpoints::command),
        ),
        Endpoint {
            method: "post",
            path: "/api/sessions/{id}/seats/{seat}",
            summary: "Take a seat: whoever presents its key gets a new one, and the old one \
                      opens nothing any more",
            request: None,
            answer: Some(schema_of::<endpoints::SeatKey>),
            route: post(endpoints::claim),
        },
        Endpoint::get::<serde_json::Value>(
            "/api/sessions/{id}/replay",
            "The game as a replay, once it is over",
            get(endpoints::replay),
        ),
        Endpoint::get::<replays::ReplayInfo>(
            "/api/sessions/{id}/steps",
            "The game in words, once it is over",
            get(endpoints::steps),
        ),
        Endpoint::get::<replays::FrameInfo>(
            "/api/sessions/{id}/steps/{step}",
            "The table before a step of a game that is over; ?seat=N for whose side is drawn",
            get(endpoints::step),
        ),
        Endpoint::get::<crate::thoughts::Thinking>(
            "/api/sessions/{id}/thoughts/{event}",
            "What a bot thought when it decided, once nothing is hidden",
            get(endpoints::thoughts),
        ),
        Endpoint {
            method: "get",
            path: "/api/sessions/{id}/ws",
            summary: "A WebSocket that takes commands and tells of the table and of thoughts",
            request: None,
            answer: None,
            route: get(socket::follow),
        },
    ]
}

/// The whole server but for its socket.
pub fn router(lab: Arc<Lab>) -> Router {
    let mut router = Router::new();
    for endpoint in endpoints() {
        router = router.route(endpoint.path, endpoint.route);
    }
    router
        .fallback(assets::serve)
        // The guard has received the body, and has not let it grow too large.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&lab), guard::guard))
        .layer(CompressionLayer::new())
        .with_state(lab)
}
