/// The right to send something to somebody outside. Whatever leaves an organisation (mails, text messages, calls of web hooks,
/// files) asks for it, and a rehearsal has none: there nothing can be sent by mistake, because nothing can be sent at all.
#[derive(Debug)]
pub struct WayOut(());

impl WayOut {
    /// Of an organisation, unless it is a rehearsal.
    #[must_use]
    pub const fn unless(rehearses: bool) -> Option<Self> {
        if rehearses { None } else { Some(Self(())) }
    }

    /// Of the platform itself.
    #[must_use]
    pub const fn of_platform() -> Self {
        Self(())
    }
}
