"""Pending events folded anew: whoever looks meanwhile finds what they leave, never less."""

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld
from tests.support.casino import Casino

# Folds every event of the device anew, while another reader looks as often as it can.
REFOLD = """async () => {
  const at = (name) => import(`/static/handheld/${name}.js`);
  const [{rebase}, {beyond}, {holding}, {refresh}] =
    await Promise.all(["pending", "outbox", "chain", "memory"].map(at));
  const [{record}, {transact}] = await Promise.all(["records", "store"].map(at));
  const rows = () => transact("overlay", "readonly", (tx) => tx.objectStore("overlay").getAll());
  const before = await rows();
  const seen = [];
  let done = false;
  const look = async () => {
    while (!done) {
      await refresh();
      seen.push([(await record("item", "D5-001"))?.state, (await rows()).length].join(" "));
    }
  };
  const looking = look();
  await holding(async () => rebase(await beyond({}), {refold: false}));
  done = true;
  await looking;
  return {before, after: await rows(), looks: seen.length, seen: [...new Set(seen)]};
}"""


def test_a_fold_anew_leaves_the_same_and_is_seen_as_a_whole_or_not_at_all(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    handheld.device.offline()
    handheld.stock("D5-001..D5-002", 2, ["D5-001"])
    told = handheld.page.evaluate(REFOLD)
    assert len(told["before"]) > 3
    assert told["after"] == told["before"]
    assert told["looks"] > 2
    assert told["seen"] == [f"reserve {len(told['before'])}"]
