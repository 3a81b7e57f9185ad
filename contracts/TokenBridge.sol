// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Locks tokens here while their likenesses live elsewhere, and lets them go again. Its events are those of the predicate
/// of Polygon's PoS bridge.
contract TokenBridge is Owned {
    event LockedERC20(
        address indexed depositor, address indexed depositReceiver, address indexed rootToken, uint256 amount
    );
    event ExitedERC20(address indexed exitor, address indexed rootToken, uint256 amount);

    function lock(address token, address receiver, uint256 amount) external {
        emit LockedERC20(msg.sender, receiver, token, amount);
        require(Token20(token).transferFrom(msg.sender, address(this), amount), "TokenBridge: not paid");
    }

    function release(address token, address receiver, uint256 amount) external onlyOwner {
        require(Token20(token).transfer(receiver, amount), "TokenBridge: not paid");
        emit ExitedERC20(receiver, token, amount);
    }
}
