//! The routes of the API with their OpenAPI descriptions.

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
    pub(crate) response: Option<SchemaOf>,
    route: MethodRouter<Arc<Lab>>,
}

impl Endpoint {
    fn get<A: JsonSchema>(
        path: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Lab>>,
    ) -> Self {
        let response = Some(schema_of::<A> as SchemaOf);
        Self { method: "get", path, summary, request: None, response, route }
    }

    fn post<R: JsonSchema, A: JsonSchema>(
        path: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Lab>>,
    ) -> Self {
        let request = Some(schema_of::<R> as SchemaOf);
        let response = Some(schema_of::<A> as SchemaOf);
        Self { method: "post", path, summary, request, response, route }
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
            "Server load and limits",
            get(endpoints::status),
        ),
        Endpoint::get::<Vec<games::GameInfo>>(
            "/api/games",
            "List the games with their default configurations and bots",
            get(games::list),
        ),
        Endpoint::post::<games::Described, games::GameInfo>(
            "/api/games",
            "Describe the table of a configuration, such as the text of a game file",
            post(games::show),
        ),
        Endpoint::get::<std::collections::BTreeMap<String, String>>(
            "/api/magic/cards",
            "The text of the built-in Magic cards, by name",
            get(cards::list),
        ),
        Endpoint::get::<Vec<runs::RunInfo>>(
            "/api/runs",
            "List the runs, newest first",
            get(runs::list),
        ),
        Endpoint::get::<runs::RunDetails>(
            "/api/runs/{run}",
            "Results of a run; encode slashes in its name as %2F",
            get(runs::show),
        ),
        Endpoint::get::<training::TrainingInfo>(
            "/api/runs/{run}/training",
            "Progress of a training run: losses, speed, and the Elo of its networks",
            get(training::show),
        ),
        Endpoint {
            method: "get",
            path: "/api/runs/{run}/report",
            summary: "Report of a run, as HTML",
            request: None,
            response: None,
            route: get(runs::report),
        },
        Endpoint::get::<replays::ReplayInfo>(
            "/api/runs/{run}/replays/{file}",
            "A recorded game",
            get(replays::show),
        ),
        Endpoint::get::<replays::FrameInfo>(
            "/api/runs/{run}/replays/{file}/{step}",
            "The position before a step of a recorded game; ?seat=N selects the viewpoint",
            get(replays::frame),
        ),
        Endpoint::post::<poker::RangeRequest, poker::RangeResponse>(
            "/api/poker/range",
            "Parse a range of hands",
            post(poker::range),
        ),
        Endpoint::post::<poker::EquityRequest, poker::EquityResponse>(
            "/api/poker/equity",
            "Compute the equity of hands or ranges, exactly or by sampling",
            post(poker::compare),
        ),
        Endpoint::get::<serde_json::Value>(
            "/api/openapi.json",
            "This OpenAPI document",
            get(openapi::serve),
        ),
    ]);
    all
}

fn sessions() -> Vec<Endpoint> {
    vec![
        Endpoint::post::<endpoints::NewSession, endpoints::Created>(
            "/api/sessions",
            "Start a game",
            post(endpoints::create),
        ),
        Endpoint::get::<crate::view::View>(
            "/api/sessions/{id}",
            "The game as visible to the holder of the keys",
            get(endpoints::show),
        ),
        Endpoint {
            method: "delete",
            path: "/api/sessions/{id}",
            summary: "Delete a game",
            request: None,
            response: None,
            route: delete(endpoints::delete),
        },
        Endpoint::post::<crate::commands::Command, crate::view::View>(
            "/api/sessions/{id}/commands",
            "Execute a command: play, undo, pause, analyze, …",
            post(endpoints::command),
        ),
        Endpoint {
            method: "post",
            path: "/api/sessions/{id}/seats/{seat}",
            summary: "Claim a seat: exchanges its key for a new one and invalidates the old one",
            request: None,
            response: Some(schema_of::<endpoints::SeatKey>),
            route: post(endpoints::claim),
        },
        Endpoint::get::<serde_json::Value>(
            "/api/sessions/{id}/replay",
            "The replay of a finished game",
            get(endpoints::replay),
        ),
        Endpoint::get::<replays::ReplayInfo>(
            "/api/sessions/{id}/steps",
            "The steps of a finished game",
            get(endpoints::steps),
        ),
        Endpoint::get::<replays::FrameInfo>(
            "/api/sessions/{id}/steps/{step}",
            "The position before a step of a finished game; ?seat=N selects the viewpoint",
            get(endpoints::step),
        ),
        Endpoint::get::<crate::analysis::AnalysisView>(
            "/api/sessions/{id}/analysis/{event}",
            "Search statistics of a bot's decision, unless they reveal hidden information",
            get(endpoints::analysis),
        ),
        Endpoint {
            method: "get",
            path: "/api/sessions/{id}/ws",
            summary: "WebSocket that accepts commands and sends views and search statistics",
            request: None,
            response: None,
            route: get(socket::follow),
        },
    ]
}

/// Returns the application, without a socket.
pub fn router(lab: Arc<Lab>) -> Router {
    let mut router = Router::new();
    for endpoint in endpoints() {
        router = router.route(endpoint.path, endpoint.route);
    }
    router
        .fallback(assets::serve)
        // The guard has limited the size of the body already.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&lab), guard::guard))
        .layer(CompressionLayer::new())
        .with_state(lab)
}
