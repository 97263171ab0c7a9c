//! The OpenAPI document, generated from the routes and types.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api::{Endpoint, endpoints};
use crate::error::{ApiError, ErrorBody};
use crate::files::blocking;
use crate::json_body::JsonBody;

/// `GET /api/openapi.json`
pub(crate) async fn serve() -> Result<JsonBody<Value>, ApiError> {
    blocking(|| JsonBody::new(&describe())).await
}

/// Returns the OpenAPI 3.1 document.
fn describe() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut generator = settings.into_generator();
    let error_body = generator.subschema_for::<ErrorBody>();
    let error = json!({
        "description": "Error",
        "content": { "application/json": { "schema": error_body } },
    });
    let mut paths = Map::new();
    for endpoint in endpoints() {
        let mut operation = json!({
            "summary": endpoint.summary,
            "parameters": parameters_of(&endpoint),
            "responses": { "200": { "description": "Success" }, "default": error },
        });
        if let Some(response) = endpoint.response {
            operation["responses"]["200"]["content"] =
                json!({ "application/json": { "schema": response(&mut generator) } });
        }
        if let Some(request) = endpoint.request {
            operation["requestBody"] = json!({
                "required": true,
                "content": { "application/json": { "schema": request(&mut generator) } },
            });
        }
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method] = operation;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Meeple lab",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Play games, watch searches, read results, compute poker equities. \
                            A server with a token expects it in the header `Authorization: \
                            Bearer TOKEN`, or as `?token=TOKEN`. Each session has a key for its \
                            owner and one for each person's seat; send them in the header \
                            `Meeple-Key: KEY,KEY`, or as `?key=KEY&key=KEY`.",
        },
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer" },
                "key": { "type": "apiKey", "in": "header", "name": "Meeple-Key" },
            },
        },
        "security": [{}, { "token": [] }, { "token": [], "key": [] }, { "key": [] }],
        "paths": paths,
    })
}

/// Returns the path parameters of an endpoint.
fn parameters_of(endpoint: &Endpoint) -> Vec<Value> {
    let names = endpoint.path.split('{').skip(1).filter_map(|part| part.split('}').next());
    names
        .map(|name| {
            let kind = if matches!(name, "step" | "event" | "seat") { "integer" } else { "string" };
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": kind } })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_documented_and_every_reference_resolves() {
        let description = describe();
        for endpoint in endpoints() {
            let operation = &description["paths"][endpoint.path][endpoint.method];
            assert_eq!(operation["summary"], endpoint.summary, "{}", endpoint.path);
            let parameters = operation["parameters"].as_array().unwrap().len();
            assert_eq!(parameters, endpoint.path.matches('{').count(), "{}", endpoint.path);
        }
        let text = description.to_string();
        let mut references = 0;
        for part in text.split("\"$ref\":\"").skip(1) {
            let reference = part.split('"').next().unwrap();
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(description.pointer(pointer).is_some(), "{reference}");
            references += 1;
        }
        assert!(references > 10, "{references}");
    }
}
