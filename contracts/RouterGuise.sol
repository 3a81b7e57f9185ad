// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Simulator} from "./Simulator.sol";

/// Never deployed: for the time of a read-only call its code replaces that of a real router. It trades as `Simulator` does,
/// so that a token sees the router as the account that takes its coins; all other calls reach the router's own code.
contract RouterGuise {
    /// Replaced by the addresses that have the code of `Simulator` and a copy of the router's during the call.
    address private constant SIMULATOR = 0x1111111111111111111111111111111111111111;
    address private constant ROUTER = 0x2222222222222222222222222222222222222222;
    bytes32 private constant PAYMENT_SLOT = keccak256("assay.simulator.payment");

    receive() external payable {
        _forward(ROUTER);
    }

    fallback() external payable {
        _forward(_isTrade() ? SIMULATOR : ROUTER);
    }

    /// A trade of the simulator, or the callback of the pool that it trades in.
    function _isTrade() private view returns (bool) {
        bytes4 selector = msg.sig;
        if (selector == Simulator.buy.selector || selector == Simulator.sell.selector) return true;
        if (selector == Simulator.sellPart.selector || selector == Simulator.sellAll.selector) return true;
        if (selector == Simulator.measure.selector) return true;
        bytes32 slot = PAYMENT_SLOT;
        address pool;
        assembly {
            pool := sload(slot)
        }
        return pool != address(0) && msg.sender == pool;
    }

    function _forward(address code) private {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
