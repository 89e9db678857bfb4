//! The route table. It cannot hold a route without an access requirement; the router, the API document and the access
//! matrix all come from it.

use std::convert::Infallible;

use aide::OperationInput;
use aide::axum::ApiRouter;
use aide::axum::routing::{self, ApiMethodRouter};
use aide::openapi::OpenApi;
use aide::operation::{OperationHandler, OperationOutput};
use axum::handler::Handler;
use axum::{Extension, Json, Router};
use http::Method;
use tower::{Layer, Service};

use super::body::{self, BodyLimit};
use super::document;
use super::respond::ErrorBody;
use crate::access::Access;
use crate::list::Filter;

/// One route, as the access matrix and the cross-tenant test see it.
#[derive(Debug, Clone)]
pub struct Row {
    /// HTTP method.
    pub method: Method,
    /// Path pattern below the API base, e.g. `/jobs/{id}`.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Largest JSON body, in bytes.
    pub largest_body: usize,
}

struct Entry<S> {
    row: Row,
    router: ApiMethodRouter<S>,
}

/// A table of routes over the application state `S`.
#[must_use]
pub struct Routes<S> {
    entries: Vec<Entry<S>>,
}

impl<S> Default for Routes<S> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

macro_rules! method {
    ($name:ident, $with:ident, $method:ident) => {
        #[doc = concat!("Adds a ", stringify!($method), " route.")]
        pub fn $name<H, I, O, T>(self, path: &'static str, access: Access, handler: H) -> Self
        where
            H: Handler<T, S> + OperationHandler<I, O>,
            I: OperationInput,
            O: OperationOutput,
            T: 'static,
        {
            let name = operation_id(stringify!($name), path);
            let router = routing::$with(handler, |mut operation| {
                document::path_parameters(operation.inner_mut(), path);
                operation.id(&name).description(&access.describe()).default_response::<Json<ErrorBody>>()
            });
            self.add(Method::$method, path, access, router)
        }
    };
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    method!(get, get_with, GET);
    method!(post, post_with, POST);
    method!(put, put_with, PUT);
    method!(patch, patch_with, PATCH);
    method!(delete, delete_with, DELETE);

    /// Adds a GET route that answers a [`crate::list::ListQuery`], with what it can be filtered by.
    pub fn list<'f, H, I, O, T>(
        self,
        path: &'static str,
        access: Access,
        filters: impl IntoIterator<Item = &'f Filter>,
        handler: H,
    ) -> Self
    where
        H: Handler<T, S> + OperationHandler<I, O>,
        I: OperationInput,
        O: OperationOutput,
        T: 'static,
    {
        let name = operation_id("get", path);
        let router = routing::get_with(handler, |mut operation| {
            document::path_parameters(operation.inner_mut(), path);
            document::filters(operation.inner_mut(), filters);
            operation.id(&name).description(&access.describe()).default_response::<Json<ErrorBody>>()
        });
        self.add(Method::GET, path, access, router)
    }

    fn add(mut self, method: Method, path: &'static str, access: Access, router: ApiMethodRouter<S>) -> Self {
        self.entries
            .push(Entry { row: Row { method, path, access, largest_body: body::DEFAULT_LIMIT }, router });
        self
    }

    /// Appends another table.
    pub fn merge(mut self, other: Self) -> Self {
        self.entries.extend(other.entries);
        self
    }

    /// The rows of the table.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.entries.iter().map(|entry| entry.row.clone()).collect()
    }

    /// Raises or lowers the largest JSON body of every route of this table, in bytes.
    pub fn largest_body(mut self, bytes: usize) -> Self {
        for entry in &mut self.entries {
            entry.row.largest_body = bytes;
        }
        self.layer(Extension(BodyLimit(bytes)))
    }

    /// Puts `layer` around every route of this table, inside the guard. Used for the limits of forms.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<axum::routing::Route> + Clone + Send + Sync + 'static,
        L::Service: Service<axum::extract::Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<axum::extract::Request>>::Response: axum::response::IntoResponse + 'static,
        <L::Service as Service<axum::extract::Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<axum::extract::Request>>::Future: Send + 'static,
    {
        for entry in &mut self.entries {
            let router = std::mem::take(&mut entry.router);
            entry.router = router.layer(layer.clone());
        }
        self
    }

    /// Builds the router and adds the routes to `api`. `guard` wraps each route with the check of its access.
    pub fn finish<L>(self, api: &mut OpenApi, guard: impl Fn(Row) -> L) -> Router<S>
    where
        L: Layer<axum::routing::Route> + Clone + Send + Sync + 'static,
        L::Service: Service<axum::extract::Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<axum::extract::Request>>::Response: axum::response::IntoResponse + 'static,
        <L::Service as Service<axum::extract::Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<axum::extract::Request>>::Future: Send + 'static,
    {
        let mut router = ApiRouter::new();
        for entry in self.entries {
            let path = entry.row.path;
            router = router.api_route(path, entry.router.layer(guard(entry.row)));
        }
        let router = router.finish_api(api);
        document::require_answered_fields(api);
        router
    }
}

/// `get /jobs/{id}/all` becomes `get_jobs_id_all`.
fn operation_id(method: &str, path: &str) -> String {
    let words: Vec<&str> = path.split(['/', '{', '}', '-']).filter(|word| !word.is_empty()).collect();
    format!("{method}_{}", words.join("_"))
}
