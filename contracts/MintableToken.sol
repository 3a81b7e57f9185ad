// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// The owner can make more at any time and can stop all transfers: legal, and a risk worth naming.
contract MintableToken is Token20, Owned {
    bool public paused;

    event Paused(address account);
    event Unpaused(address account);

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpaused(msg.sender);
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!paused, "MintableToken: paused");
        super._move(from, to, value);
    }
}
