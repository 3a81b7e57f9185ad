// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IToken} from "./Pools.sol";

/// Never deployed: for the time of a read-only call its code replaces that of accounts around a token, so that each of
/// them can call.
contract Puppet {
    receive() external payable {}

    function execute(address to, uint256 value, bytes calldata data) external returns (bool ok, bytes memory result) {
        (ok, result) = to.call{value: value}(data);
    }

    /// Receivers of ERC-223, ERC-721 and ERC-777 return the selector that was called.
    fallback() external payable {
        bytes4 selector = msg.sig;
        assembly {
            mstore(0, selector)
            return(0, 32)
        }
    }
}

/// A contract that a token may be pointed at. It answers `mark()`, and 0 to everything else, so that a token whose code it
/// replaced is recognized, and a token that asks it for permission is refused. A token that runs it as its own code, even
/// once, is recorded.
contract Marker {
    /// Replaced by the address that has this code during the call.
    address private constant SELF = 0x4444444444444444444444444444444444444444;
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    uint256 private constant MARK = 0xa55a;

    mapping(address => bool) private _ran;

    // No comparison with `SELF` here: the optimizer makes a subtraction of it, with another constant than the placeholder.
    function record() external {
        _ran[msg.sender] = true;
    }

    function hasRun(address token) external view returns (bool) {
        return _ran[token];
    }

    fallback() external payable {
        // Where views run it, nothing can be recorded.
        if (address(this) != SELF) SELF.call{gas: 50_000}(abi.encodeCall(this.record, ()));
        // proxiableUUID() of ERC-1822, mark().
        bytes32 answer = msg.sig == 0x52d1902d ? SLOT : msg.sig == bytes4(keccak256("mark()")) ? bytes32(MARK) : bytes32(0);
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }
}

/// Never deployed, like `Puppet`. Calls functions of a token as one account and measures the effects; every trial starts
/// from the same state.
contract PowerProbe {
    struct Stage {
        address token;
        /// These three have the code of `Puppet`. The two holders have coins.
        address caller;
        address victim;
        address other;
        /// Unused addresses: one is an argument of calls, the other receives transfers.
        address friend;
        address receiver;
        /// Has the code of `Marker`.
        address marker;
        /// Pool, or the manager of pools.
        address payee;
        /// Has the code of `Simulator`, and of `Puppet`: buys.
        address simulator;
        address buyer;
        /// The buyer has some; the address of zeros without a market.
        address quote;
        /// Calls of the simulator; empty without a market.
        bytes sale;
        bytes purchase;
    }

    struct Act {
        address to;
        uint256 value;
        bytes data;
    }

    error Measured(bytes words);
    error Rejected(uint256 step);

    uint256 private constant WORDS = 15;
    /// A step that failed; a view that did not answer.
    uint256 private constant FAILED = type(uint256).max;
    uint256 private constant ABSENT = type(uint256).max - 1;
    uint256 private constant MILLION = 1_000_000;
    uint256 private constant ACT_GAS = 2_000_000;
    uint256 private constant BURNING_GAS = 1_800_000;
    bytes private constant USED_UP = hex"01";
    uint256 private constant STEP_GAS = 1_500_000;
    /// Enough for the most expensive trial.
    uint256 private constant RESERVE = 9_000_000;

    /// Per trial: empty when the token rejected it, one byte when it used up its gas or was left out after such trials; else
    /// what was measured, in words. Fewer than were asked if the gas ran out. The first trial has no calls.
    function run(Stage calldata stage, Act[][] calldata trials) external returns (bytes[] memory results) {
        results = new bytes[](trials.length);
        uint256 done = 0;
        bytes32 burning;
        uint256 burnt = 0;
        while (done < trials.length && gasleft() > RESERVE) {
            // A function that used up its gas twice has no further trials in a row.
            bytes32 called = _called(trials[done]);
            if (called != burning) (burning, burnt) = (called, 0);
            if (burnt > 1) {
                results[done++] = USED_UP;
                continue;
            }
            uint256 before = gasleft();
            try this.trial(stage, trials[done]) {}
            catch (bytes memory reason) {
                if (bytes4(reason) == Measured.selector) results[done] = _payload(reason);
                else if (before - gasleft() > BURNING_GAS) (results[done], burnt) = (USED_UP, burnt + 1);
            }
            done++;
        }
        assembly {
            mstore(results, done)
        }
    }

    /// The last function of a trial.
    function _called(Act[] calldata acts) private pure returns (bytes32) {
        if (acts.length == 0) return 0;
        Act calldata last = acts[acts.length - 1];
        return keccak256(abi.encode(last.to, bytes4(last.data)));
    }

    /// Always reverts.
    function trial(Stage calldata stage, Act[] calldata acts) external {
        for (uint256 i = 0; i < acts.length; i++) {
            (bool ok,) = Puppet(payable(stage.caller)).execute{gas: ACT_GAS}(acts[i].to, acts[i].value, acts[i].data);
            if (!ok) revert Rejected(i);
        }
        revert Measured(abi.encodePacked(_measure(stage)));
    }

    function _measure(Stage calldata stage) private returns (uint256[WORDS] memory w) {
        address token = stage.token;
        w[0] = _view(token, abi.encodeWithSignature("totalSupply()"));
        w[1] = _held(token, stage.caller);
        w[2] = _held(token, stage.victim);
        w[3] = _held(token, stage.other);
        w[4] = _held(token, stage.friend);
        w[5] = _held(token, stage.payee);
        w[6] = _held(token, token);
        w[7] = _view(token, abi.encodeWithSignature("owner()"));
        w[8] = _view(token, abi.encodeWithSignature("allowance(address,address)", stage.victim, stage.caller));
        w[9] = token.balance;
        w[10] = _view(stage.marker, abi.encodeCall(Marker.hasRun, (token)));
        if (w[10] != 1) w[10] = _view(token, abi.encodeWithSignature("mark()"));
        w[11] = _rate(abi.encodeCall(this.move, (stage, stage.victim)));
        w[12] = _rate(abi.encodeCall(this.move, (stage, stage.other)));
        if (stage.sale.length > 0) w[13] = _rate(abi.encodeCall(this.trade, (stage, stage.victim, token, stage.sale)));
        if (stage.purchase.length > 0) {
            w[14] = _rate(abi.encodeCall(this.trade, (stage, stage.buyer, stage.quote, stage.purchase)));
        }
    }

    /// Always reverts: the part of a transfer of a hundredth that arrives, in millionths.
    function move(Stage calldata stage, address from) external {
        uint256 held = IToken(stage.token).balanceOf(from);
        uint256 amount = held < 100 ? held : held / 100;
        uint256 before = IToken(stage.token).balanceOf(stage.receiver);
        _as(from, stage.token, abi.encodeCall(IToken.transfer, (stage.receiver, amount)));
        _rated(IToken(stage.token).balanceOf(stage.receiver) - before, amount);
    }

    /// Always reverts: the part of a trade that arrives, in millionths. `paid`: approved for the simulator first.
    function trade(Stage calldata stage, address from, address paid, bytes calldata data) external {
        _as(from, paid, abi.encodeWithSignature("approve(address,uint256)", stage.simulator, FAILED));
        (uint256 given, uint256 arrived) = abi.decode(_as(from, stage.simulator, data), (uint256, uint256));
        _rated(arrived, given);
    }

    function _as(address from, address to, bytes memory data) private returns (bytes memory) {
        (bool ok, bytes memory result) = Puppet(payable(from)).execute(to, 0, data);
        require(ok && (result.length == 0 || abi.decode(result, (uint256)) != 0), "PowerProbe: refused");
        return result;
    }

    function _rated(uint256 arrived, uint256 given) private pure {
        require(given > 0, "PowerProbe: nothing moved");
        revert Measured(abi.encode(arrived > given ? MILLION : (arrived * MILLION) / given));
    }

    function _rate(bytes memory data) private returns (uint256) {
        (, bytes memory reason) = address(this).call{gas: STEP_GAS}(data);
        if (bytes4(reason) != Measured.selector) return FAILED;
        return abi.decode(_payload(reason), (uint256));
    }

    function _held(address token, address holder) private view returns (uint256) {
        return _view(token, abi.encodeCall(IToken.balanceOf, (holder)));
    }

    function _view(address to, bytes memory data) private view returns (uint256) {
        (bool ok, bytes memory result) = to.staticcall{gas: STEP_GAS}(data);
        return ok && result.length >= 32 ? abi.decode(result, (uint256)) : ABSENT;
    }

    /// The bytes in a `Measured`.
    function _payload(bytes memory reason) private pure returns (bytes memory) {
        assembly {
            mstore(add(reason, 4), sub(mload(reason), 4))
            reason := add(reason, 4)
        }
        return abi.decode(reason, (bytes));
    }
}
