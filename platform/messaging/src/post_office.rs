use routewright_outbound::WayOut;
use routewright_storage::{Folder, StorageError};

use crate::{
    Attachment, Channel, Content, Mail, MailAttachment, Mailer, Message, SendError, Sender, SmsAccount,
    SmsGateway,
};

/// Hands claimed messages to the mail server or SMS gateway.
#[derive(Clone, Debug)]
pub struct PostOffice {
    /// The way to the mail server.
    pub mailer: Mailer,
    /// The way to the SMS gateways.
    pub sms: SmsGateway,
}

impl PostOffice {
    /// Sends a claimed message; answers the identifier given by the mail server or gateway. `files` is where
    /// attachments are looked up, `sms` the organisation's account, `None` when text messages are switched off.
    ///
    /// # Errors
    /// With the reason to be noted by [`crate::mark_failed`].
    pub async fn send(
        &self,
        way: &WayOut,
        message: &Message,
        files: Option<&Folder>,
        sender: &Sender,
        sms: Option<&SmsAccount>,
    ) -> Result<Option<String>, SendError> {
        match message.channel {
            Channel::Email => self.mail(message, files, sender).await,
            Channel::Sms => self.text(way, message, sms).await,
        }
    }

    async fn mail(
        &self,
        message: &Message,
        files: Option<&Folder>,
        sender: &Sender,
    ) -> Result<Option<String>, SendError> {
        let mut attachments = Vec::with_capacity(message.attachments.len());
        for attachment in &message.attachments {
            attachments.push(read(attachment, files).await?);
        }
        let mail = Mail {
            id: message.mail_id.clone(),
            sender: sender.clone(),
            to: message.recipients.clone(),
            subject: message.subject.clone(),
            text: message.body_text.clone(),
            html: message.body_html.clone(),
            attachments,
        };
        self.mailer.send(&mail).await
    }

    async fn text(
        &self,
        way: &WayOut,
        message: &Message,
        sms: Option<&SmsAccount>,
    ) -> Result<Option<String>, SendError> {
        let account = sms.ok_or_else(|| {
            SendError::Permanent("SMS configuration is disabled in Organisation Settings.".to_owned())
        })?;
        let [number] = message.recipients.as_slice() else {
            return Err(SendError::Permanent("A text message has one recipient".to_owned()));
        };
        self.sms.send(way, account, number, &message.body_text).await
    }
}

async fn read(attachment: &Attachment, files: Option<&Folder>) -> Result<MailAttachment, SendError> {
    let bytes = match (&attachment.content, files) {
        (Content::Base64(bytes), _) => bytes.clone(),
        (Content::Key(_), None) => {
            return Err(SendError::Permanent("There is no file storage for the attachment".to_owned()));
        }
        (Content::Key(key), Some(folder)) => {
            let object = folder.get(key).await.map_err(|error| unread(&attachment.name, error))?;
            object.into_bytes().await.map_err(|error| unread(&attachment.name, error))?.to_vec()
        }
    };
    Ok(MailAttachment { name: attachment.name.clone(), content_type: attachment.content_type.clone(), bytes })
}

fn unread(name: &str, error: StorageError) -> SendError {
    let reason = format!("Attachment {name}: {error}");
    match error {
        StorageError::Unavailable(_) => SendError::Temporary(reason),
        _ => SendError::Permanent(reason),
    }
}
