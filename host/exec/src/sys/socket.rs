use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recvmsg,
    sendmsg, socketpair,
};

/// The most descriptors of one message.
pub(crate) const MAX_DESCRIPTORS: usize = 6;
/// The most bytes of one message.
pub(crate) const MAX_BYTES: usize = 8 * 1024;

/// A message as it came.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) bytes: Vec<u8>,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// Whether a call may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Yes,
    No,
}

/// Two ends that keep messages apart and tell when the other is gone. Both stay out of programs.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = SockFlag::SOCK_CLOEXEC;
    let ends = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags)?;
    Ok(ends)
}

/// Sends one message with copies of descriptors.
pub(crate) fn send(
    socket: BorrowedFd<'_>,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
    wait: Wait,
) -> io::Result<()> {
    let numbers: Vec<RawFd> = descriptors.iter().map(AsRawFd::as_raw_fd).collect();
    let rights = [ControlMessage::ScmRights(&numbers)];
    let control = if numbers.is_empty() { &[] } else { &rights[..] };
    let mut flags = MsgFlags::MSG_NOSIGNAL;
    flags.set(MsgFlags::MSG_DONTWAIT, wait == Wait::No);
    let parts = [IoSlice::new(bytes)];
    loop {
        match sendmsg::<()>(socket.as_raw_fd(), &parts, control, flags, None) {
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}

/// Receives one message; none once the other end is gone.
pub(crate) fn receive(socket: BorrowedFd<'_>, wait: Wait) -> io::Result<Option<Message>> {
    loop {
        match receive_once(socket, wait) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // The other end left without having read everything; what it wrote is still there.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            result => return result,
        }
    }
}

fn receive_once(socket: BorrowedFd<'_>, wait: Wait) -> io::Result<Option<Message>> {
    let mut flags = MsgFlags::MSG_CMSG_CLOEXEC;
    flags.set(MsgFlags::MSG_DONTWAIT, wait == Wait::No);
    let mut bytes = [0; MAX_BYTES];
    let mut space = nix::cmsg_space!([RawFd; MAX_DESCRIPTORS]);
    let mut parts = [IoSliceMut::new(&mut bytes)];
    let received = recvmsg::<()>(socket.as_raw_fd(), &mut parts, Some(&mut space), flags)?;
    let length = received.bytes;
    let mut descriptors = Vec::new();
    for message in received.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = message {
            // SAFETY: the kernel has just made these descriptors for this process, and nobody
            // else knows them.
            let owned = numbers
                .into_iter()
                .map(|number| unsafe { OwnedFd::from_raw_fd(number) });
            descriptors.extend(owned);
        }
    }
    let bytes = bytes[..length].to_vec();
    Ok((length > 0).then_some(Message { bytes, descriptors }))
}

/// Whether the other end is gone. What it may have sent before is dropped.
pub(crate) fn is_closed(socket: impl AsFd) -> bool {
    loop {
        match receive(socket.as_fd(), Wait::No) {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
